import { DataSource } from 'typeorm';
import { type ControlPlane, startControlPlane } from './control-plane.js';

interface Entry {
  readonly version: number;
  readonly at: string;
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly actor: string;
  readonly request_id: string | null;
  readonly from_version: number | null;
  readonly to_version: number | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

const RULE = { plan: 'free', limit: 5, window_seconds: 1 };

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', { name: 'Free' });
  await plane.put('/v1/rules/a', { ...RULE, endpoint: '/a' });
  await plane.put('/v1/rules/a', { ...RULE, endpoint: '/a', limit: 6 }, { ifMatch: '"v1"' });
  await plane.put('/v1/rules/b', { ...RULE, endpoint: '/b' });
  await plane.call('/v1/rules/a', { method: 'DELETE', ifMatch: '"v2"', headers: { 'x-request-id': 'the-deletion' } });
  await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
  await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'A', key_id: 'k1' } });
}, 60_000);
afterAll(() => plane.close());

async function entries(query = ''): Promise<Entry[]> {
  const { status, body } = await plane.call(`/v1/audit?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body['entries'] as Entry[];
}

const inShort = (list: readonly Entry[]): string[] => list.map(({ version, kind, id, action, from_version, to_version }) => `${version} ${kind} ${id} ${action} ${from_version}>${to_version}`);

describe('R60 GET /v1/audit', () => {
  it('who changed what, when, from which version to which, before and after; the newest first', async () => {
    const all = await entries();
    expect(inShort(all)).toEqual(['7 key k1 created null>1', '6 tenant acme created null>1', '5 rule a deleted 2>null', '4 rule b created null>1', '3 rule a updated 1>2', '2 rule a created null>1', '1 plan free created null>1']);
    expect(all[4]).toEqual({
      version: 3,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      actor: 'token:environment',
      request_id: expect.any(String),
      kind: 'rule',
      id: 'a',
      action: 'updated',
      from_version: 1,
      to_version: 2,
      before: { rule_id: 'a', version: 1, ...RULE, endpoint: '/a' },
      after: { rule_id: 'a', version: 2, ...RULE, endpoint: '/a', limit: 6 },
    });
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort().reverse());
    expect(new Set(all.map(({ at }) => at)).size).toBe(7);
  });

  it('never shows a secret, or its hash', async () => {
    const created = await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'B', key_id: 'k2' } });
    const { text } = await plane.call('/v1/audit?kind=key');
    expect(text).not.toContain(String(created.body['secret']));
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  });

  it('filters by kind, id, actor, request and time, and by all of them together', async () => {
    expect(inShort(await entries('kind=rule&id=a'))).toEqual(['5 rule a deleted 2>null', '3 rule a updated 1>2', '2 rule a created null>1']);
    expect(inShort(await entries('request_id=the-deletion'))).toEqual(['5 rule a deleted 2>null']);
    expect(await entries('actor=token:nobody')).toEqual([]);
    expect((await entries('actor=token:environment&kind=plan')).map(({ id }) => id)).toEqual(['free']);
    const all = await entries();
    const at = (version: number): string => all.find((entry) => entry.version === version)?.at ?? '';
    // From is in it, to is not.
    expect((await entries(`from=${at(3)}&to=${at(5)}`)).map(({ version }) => version)).toEqual([4, 3]);
    expect((await entries(`from=${at(3)}&to=${at(5)}&kind=rule&id=a`)).map(({ version }) => version)).toEqual([3]);
    expect(await entries('to=2000-01-01T00:00:00Z')).toEqual([]);
    expect(await entries('from=9999-01-01T00:00:00%2B01:00')).toEqual([]);
  });

  it.each(['kind=rules', 'id=a%20b', 'actor=', 'request_id=', 'from=yesterday', 'from=2026-02-30T00:00:00Z', 'to=2026-01-01T00:00:00', 'to=2026-01-01T00:00:00+01:00', 'from=2026-01-01T00:00:00.1234567Z', 'limit=0', 'cursor=x', 'who=me', 'kind=rule&kind=plan'])('%s is a 400', async (query) => {
    expect((await plane.call(`/v1/audit?${query}`)).status).toBe(400);
  });

  it('is paged, each entry once, also while others write', async () => {
    const expected = inShort(await entries());
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page += 1) {
      const answer = await plane.call(`/v1/audit?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...inShort(answer.body['entries'] as Entry[]));
      cursor = answer.body['next_cursor'] as string | null;
      await plane.put(`/v1/rules/meanwhile-${page}`, { ...RULE, endpoint: `/meanwhile/${page}` });
    }
    expect(seen).toEqual(expected);
  });

  it('a cursor is of its filters alone, and a page that the caller holds is a 304', async () => {
    const first = await plane.call('/v1/audit?limit=1');
    expect((await plane.call(`/v1/audit?kind=rule&cursor=${String(first.body['next_cursor'])}`)).status).toBe(400);
    expect((await plane.call('/v1/audit?limit=1', { ifNoneMatch: first.etag ?? '' })).status).toBe(304);
    expect(first.headers.get('link')).toMatch(/^<\/v1\/audit\?limit=1&cursor=.*>; rel="next"$/);
  });

  it.each(['config_change', 'audit_entry'])('%s is append-only, whoever asks the database', async (table) => {
    const source = plane.admin.app.get(DataSource);
    for (const statement of [`UPDATE ${table} SET version = version`, `DELETE FROM ${table}`, `DELETE FROM ${table} WHERE false`, `TRUNCATE ${table}`]) {
      await expect(source.query(statement)).rejects.toThrow('append-only');
    }
  });
});
