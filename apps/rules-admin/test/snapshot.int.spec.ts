import { applyDelta, type Snapshot, snapshotChecksum, validateDelta, validateSnapshot } from '@sluice/rules';
import { Client } from 'pg';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', { name: 'Free', default_limit: { limit: 60, window_seconds: 60 } });
}, 60_000);
afterAll(() => plane.close());

const RULE = { plan: 'free', limit: 5, window_seconds: 1 };

/** A rule for an endpoint of its own: two for the same are a conflict. */
const ruleFor = (id: string): typeof RULE & { endpoint: string } => ({ ...RULE, endpoint: `/${id}` });

function wholeOf({ status, body, headers }: Answer): Snapshot {
  expect(status).toBe(200);
  expect(headers.get('sluice-snapshot')).toBe('whole');
  const checked = validateSnapshot(body);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  expect(snapshotChecksum(checked.value)).toBe(headers.get('sluice-checksum'));
  return checked.value;
}

/** What a node does with an answer. */
function taken(held: Snapshot, answer: Answer): Snapshot {
  if (answer.status === 304) return held;
  if (!('since' in answer.body)) return wholeOf(answer);
  expect(answer.headers.get('sluice-snapshot')).toBe('delta');
  const delta = validateDelta(answer.body);
  const applied = delta.ok ? applyDelta(held, delta.value) : delta;
  if (!applied.ok) throw new Error(JSON.stringify(applied.faults));
  expect(snapshotChecksum(applied.value)).toBe(answer.headers.get('sluice-checksum'));
  return applied.value;
}

describe('R54 GET /v1/snapshot', () => {
  it('whole, valid by @sluice/rules, with a tag, an epoch and a checksum', async () => {
    await plane.put('/v1/rules/a', { ...RULE, descriptors: { region: '*' }, mode: 'shadow' });
    const answer = await plane.call('/v1/snapshot');
    const snapshot = wholeOf(answer);
    expect(snapshot.plans).toEqual([{ plan_id: 'free', name: 'Free', version: 1, default_limit: { limit: 60, window_seconds: 60 } }]);
    expect(snapshot.rules).toEqual([{ rule_id: 'a', version: 1, ...RULE, descriptors: { region: '*' }, mode: 'shadow' }]);
    expect(answer.headers.get('sluice-epoch')).toMatch(/^[0-9a-f]{12}$/);
    expect(answer.etag).toBe(`"s${snapshot.version}-${answer.headers.get('sluice-epoch')}"`);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('304 without a body while nothing changed, also for keys and tenants that came; another tag after a change (known failure 77)', async () => {
    const { etag } = await plane.call('/v1/snapshot');
    const held = (): Promise<Answer> => plane.call('/v1/snapshot', { ifNoneMatch: etag ?? '' });
    const unchanged = await held();
    expect([unchanged.status, unchanged.text, unchanged.etag]).toEqual([304, '', etag]);
    await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'A', key_id: 'k1' } });
    await plane.put('/v1/rules/a', { ...RULE, descriptors: { region: '*' }, mode: 'shadow' }, { ifMatch: '*' });
    expect((await held()).status).toBe(304);
    await plane.put('/v1/rules/a', RULE, { ifMatch: '*' });
    const changed = await held();
    expect(changed.status).toBe(200);
    expect(changed.etag).not.toBe(etag);
  });

  it('a key that is disabled and a tenant that moves have a version of their own, so that gateways drop what they cached', async () => {
    const version = async (): Promise<number> => (await plane.call('/v1/snapshot')).body['version'] as number;
    const before = await version();
    await plane.call('/v1/keys/k1', { method: 'PATCH', json: { name: 'Renamed' }, ifMatch: '*' });
    expect(await version()).toBe(before);
    await plane.call('/v1/keys/k1', { method: 'PATCH', json: { disabled: true }, ifMatch: '*' });
    expect(await version()).toBeGreaterThan(before);
  });

  it('the 304 asks for the version alone: it comes while every other table is locked', async () => {
    const { etag, body } = await plane.call('/v1/snapshot');
    const locker = new Client(plane.databaseUrl);
    await locker.connect();
    const { rows } = await locker.query<{ name: string }>(`SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'config_version'`);
    await locker.query('BEGIN');
    await locker.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS EXCLUSIVE MODE`);
    for (const query of ['', `?since=${body['version'] as number}`]) {
      const answer = await plane.call(`/v1/snapshot${query}`, { ifNoneMatch: etag ?? '' });
      expect([answer.status, answer.headers.get('sluice-stale')]).toEqual([304, null]);
    }
    await locker.query('ROLLBACK');
    await locker.end();
  });
});

describe('R54 GET /v1/snapshot?since=V', () => {
  it('gives only what changed: new, changed and deleted, rules and plans', async () => {
    for (const id of ['b', 'c', 'd', 'e', 'f']) await plane.put(`/v1/rules/${id}`, ruleFor(id));
    const held = wholeOf(await plane.call('/v1/snapshot'));
    await plane.put('/v1/rules/b', { ...ruleFor('b'), limit: 9 }, { ifMatch: '*' });
    await plane.call('/v1/rules/c', { method: 'DELETE', ifMatch: '*' });
    await plane.put('/v1/plans/extra', {});
    const answer = await plane.call(`/v1/snapshot?since=${held.version}`);
    expect(answer.body).toMatchObject({ since: held.version, deleted_rules: ['c'], deleted_plans: [], overrides: [], deleted_overrides: [] });
    expect((answer.body['rules'] as { rule_id: string }[]).map(({ rule_id }) => rule_id)).toEqual(['b']);
    expect((answer.body['plans'] as { plan_id: string }[]).map(({ plan_id }) => plan_id)).toEqual(['extra']);
    expect(taken(held, answer)).toEqual({ ...wholeOf(await plane.call('/v1/snapshot')), rules: expect.any(Array), plans: expect.any(Array) });
  });

  it('a rule that was deleted and came back is a change, not a deletion', async () => {
    const held = wholeOf(await plane.call('/v1/snapshot'));
    await plane.call('/v1/rules/d', { method: 'DELETE', ifMatch: '*' });
    await plane.put('/v1/rules/d', { ...ruleFor('d'), limit: 77 });
    const answer = await plane.call(`/v1/snapshot?since=${held.version}`);
    expect(answer.body).toMatchObject({ deleted_rules: [], rules: [{ rule_id: 'd', version: 2, limit: 77 }] });
    taken(held, answer);
  });

  it('nothing changed and no tag: an empty delta', async () => {
    const held = wholeOf(await plane.call('/v1/snapshot'));
    const answer = await plane.call(`/v1/snapshot?since=${held.version}`);
    expect(answer.body).toMatchObject({ since: held.version, version: held.version, rules: [], plans: [], deleted_rules: [] });
  });

  it('the whole for a version that is newer, older than most changes, or of another life of the database', async () => {
    const { version } = wholeOf(await plane.call('/v1/snapshot'));
    wholeOf(await plane.call(`/v1/snapshot?since=${version + 1}`));
    wholeOf(await plane.call('/v1/snapshot?since=0'));
    wholeOf(await plane.call(`/v1/snapshot?since=${version}`, { ifNoneMatch: `"s${version}-0123456789ab"` }));
    expect((await plane.call(`/v1/snapshot?since=${version}`, { ifNoneMatch: `"s${version - 1}-${(await plane.call('/v1/snapshot')).headers.get('sluice-epoch')}"` })).headers.get('sluice-snapshot')).toBe('delta');
  });

  it.each(['since=-1', 'since=abc', 'since=1.5', 'since=99999999999999999999', 'since=', 'since=1&since=2', 'sinse=1'])('%s is a 400', async (query) => {
    expect((await plane.call(`/v1/snapshot?${query}`)).status).toBe(400);
  });
});

describe('R54 versions are handed out in commit order', () => {
  it('50 pollers against concurrent writers: no poller ever skips a change', async () => {
    const counters = Array.from({ length: 8 }, (_, index) => `counter-${index}`);
    for (const id of counters) await plane.put(`/v1/rules/${id}`, { ...ruleFor(id), limit: 1 });
    const start = wholeOf(await plane.call('/v1/snapshot'));
    const startEtag = (await plane.call('/v1/snapshot')).etag ?? '';
    let writing = true;

    const writers = counters.map(async (id, writer) => {
      for (let limit = 2; limit <= 21; limit += 1) {
        expect((await plane.put(`/v1/rules/${id}`, { ...ruleFor(id), limit }, { ifMatch: '*' })).status).toBe(200);
        if (limit % 5 === 0) {
          expect((await plane.put(`/v1/rules/gone-${writer}`, ruleFor(`gone-${writer}`))).status).toBe(201);
          await plane.call(`/v1/rules/gone-${writer}`, { method: 'DELETE', ifMatch: '*' });
        }
      }
    });
    const pollers = Array.from({ length: 50 }, async (_, poller) => {
      let held = start;
      let etag = startEtag;
      let polls = 0;
      let deltas = 0;
      for (let last = false; ; ) {
        const answer = await plane.call(`/v1/snapshot?since=${held.version}`, { ifNoneMatch: etag });
        const next = taken(held, answer);
        expect(next.version).toBeGreaterThanOrEqual(held.version);
        held = next;
        etag = answer.etag ?? etag;
        polls += 1;
        if ('since' in answer.body) deltas += 1;
        if (last) return { held, polls, deltas };
        last = !writing;
        await new Promise((resolve) => setTimeout(resolve, (poller * 7) % 40));
      }
    });
    await Promise.all(writers);
    writing = false;
    const ends = await Promise.all(pollers);
    const end = wholeOf(await plane.call('/v1/snapshot'));
    // Each answer's checksum was that of what its changes added up to; so were the ends.
    for (const { held } of ends) expect(snapshotChecksum(held)).toBe(snapshotChecksum(end));
    expect(end.rules.filter(({ rule_id }) => rule_id.startsWith('counter-')).map(({ limit, version }) => [limit, version])).toEqual(counters.map(() => [21, 21]));
    expect(ends.reduce((sum, { deltas }) => sum + deltas, 0)).toBeGreaterThan(100);
  }, 60_000);
});
