import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';
import { createOverride, furnish, HOUR_MS, inMs, OVERRIDE, overrideIds } from './override-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await furnish(plane);
}, 60_000);
afterAll(() => plane.close());

const created = async (json: object): Promise<string> => {
  const answer = await createOverride(plane, json);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body['override_id'] as string;
};
const pointersOf = ({ body }: Answer): string[] => (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);

describe('R50, R52 an override', () => {
  it('201 {override_id, version} with Location and ETag; shown, changed and ended under If-Match', async () => {
    const answer = await createOverride(plane, { ...OVERRIDE, rule_id: 'bucket', burst: 700, reason: 'Launch week' });
    const { override_id } = answer.body as { override_id: string };
    expect([answer.status, answer.etag, answer.body]).toEqual([201, '"v1"', { override_id: expect.stringMatching(/^ovr_[0-9a-f]{24}$/), version: 1 }]);
    expect(answer.headers.get('location')).toBe(`/v1/overrides/${override_id}`);
    const path = `/v1/overrides/${override_id}`;
    const shown = await plane.call(path);
    expect(shown.body).toEqual({ override_id, ...OVERRIDE, rule_id: 'bucket', burst: 700, reason: 'Launch week', version: 1 });
    expect((await plane.call(path, { ifNoneMatch: shown.etag ?? '' })).status).toBe(304);

    const patch = (json: object, ifMatch: string | null): Promise<Answer> => plane.call(path, { method: 'PATCH', json, ifMatch });
    expect((await patch({ limit: 600 }, null)).body['type']).toBe('urn:sluice:problem:precondition-required');
    expect((await patch({ limit: 600 }, '"v2"')).status).toBe(412);
    expect((await patch({ limit: 500, burst: 700, reason: 'Launch week', expires_at: OVERRIDE.expires_at }, '"v1"')).etag).toBe('"v1"');
    expect((await patch({ limit: 600 }, '"v1"')).body).toEqual({ override_id, version: 2 });
    const expires_at = inMs(48 * HOUR_MS);
    expect((await patch({ burst: null, reason: null, expires_at }, '"v2"')).etag).toBe('"v3"');
    expect((await plane.call(path)).body).toEqual({ override_id, ...OVERRIDE, rule_id: 'bucket', limit: 600, expires_at, version: 3 });
    for (const bad of [{ limit: 0 }, { limit: null }, { expires_at: inMs(-1000) }, { expires_at: null }, { burst: 0 }, { key_id: 'key-b' }, { reason: '' }]) {
      const refused = await patch(bad, '"v3"');
      expect([bad, refused.status, pointersOf(refused)]).toEqual([bad, 400, [`/${Object.keys(bad)[0]}`]]);
    }

    expect((await plane.call(path, { method: 'DELETE', ifMatch: '"v1"' })).status).toBe(412);
    expect((await plane.call(path, { method: 'DELETE', ifMatch: '"v3"' })).status).toBe(204);
    expect((await plane.call(path, { method: 'DELETE', ifMatch: '*' })).status).toBe(404);
    expect((await plane.call(path)).status).toBe(404);
    expect((await patch({ limit: 1 }, '*')).status).toBe(404);
  });

  it('the time with any zone, to the millisecond; of a plan\'s default limit; several for one rule and key', async () => {
    const at = new Date(Date.now() + HOUR_MS);
    const offset = `${new Date(at.getTime() + 2 * HOUR_MS).toISOString().slice(0, -1)}456+02:00`;
    const ids = [await created({ ...OVERRIDE, rule_id: 'plan:free', expires_at: offset }), await created({ ...OVERRIDE, rule_id: 'plan:free' })];
    expect((await plane.call(`/v1/overrides/${ids[0]}`)).body).toMatchObject({ rule_id: 'plan:free', expires_at: at.toISOString() });
    for (const id of ids) await plane.call(`/v1/overrides/${id}`, { method: 'DELETE', ifMatch: '*' });
  });

  it.each<[string, object, string]>([
    ['expiry in the past', { expires_at: inMs(-1) }, '/expires_at'],
    ['expiry absent', { expires_at: undefined }, '/expires_at'],
    ['expiry null', { expires_at: null }, '/expires_at'],
    ['expiry a number', { expires_at: Date.now() + HOUR_MS }, '/expires_at'],
    ['expiry without a zone', { expires_at: inMs(HOUR_MS).slice(0, -1) }, '/expires_at'],
    ['expiry on 30 February', { expires_at: '2027-02-30T00:00:00Z' }, '/expires_at'],
    ['expiry 367 days ahead', { expires_at: inMs(367 * 24 * HOUR_MS) }, '/expires_at'],
    ['no limit', { limit: undefined }, '/limit'],
    ['limit 0', { limit: 0 }, '/limit'],
    ['limit -1', { limit: -1 }, '/limit'],
    ['limit 1.5', { limit: 1.5 }, '/limit'],
    ['limit a string', { limit: '5' }, '/limit'],
    ['limit beyond 2^53', { limit: 2 ** 53 }, '/limit'],
    ['burst of a rule without', { burst: 5 }, '/burst'],
    ['burst 0', { rule_id: 'bucket', burst: 0 }, '/burst'],
    ['burst null', { rule_id: 'bucket', burst: null }, '/burst'],
    ['a burst that never drains', { rule_id: 'bucket', limit: 1, burst: 2 ** 40 }, '/burst'],
    ['an unknown key', { key_id: 'nobody' }, '/key_id'],
    ['a key id that is none', { key_id: 'a b' }, '/key_id'],
    ['an unknown rule', { rule_id: 'nothing' }, '/rule_id'],
    ['an unknown plan', { rule_id: 'plan:nothing' }, '/rule_id'],
    ['a plan without a default limit', { rule_id: 'plan:pro' }, '/rule_id'],
    ['a proposal', { rule_id: 'proposed:window' }, '/rule_id'],
    ['a list of rules', { rule_id: ['window'] }, '/rule_id'],
    ['an empty reason', { reason: '' }, '/reason'],
    ['a reason with a line break', { reason: 'a\nb' }, '/reason'],
    ['an id', { override_id: 'ovr_mine' }, '/override_id'],
    ['a version', { version: 1 }, '/version'],
  ])('R52, R57 %s is a 400 that points at it', async (_name, wrong, pointer) => {
    const before = (await plane.call('/v1/overrides')).body;
    const answer = await createOverride(plane, { ...OVERRIDE, ...wrong });
    expect([answer.status, answer.body['errors']]).toEqual([400, [{ pointer, detail: expect.any(String) }]]);
    expect((await plane.call('/v1/overrides')).body).toEqual(before);
  });

  it('R57 tells all faults at once', async () => {
    expect(pointersOf(await createOverride(plane, { ...OVERRIDE, key_id: 'nobody', rule_id: 'nothing', expires_at: inMs(-1) })).sort()).toEqual(['/expires_at', '/key_id', '/rule_id']);
  });

  it.each([
    ['by-ip', /counts by ip, not by key/],
    ['pro-only', /is for the plan pro, and the key is on free/],
    ['resting', /is off/],
  ])('warns of an override of %s', async (rule_id, warning) => {
    const { body } = await createOverride(plane, { ...OVERRIDE, rule_id });
    expect(body['warnings']).toEqual([expect.stringMatching(warning)]);
    await plane.call(`/v1/overrides/${body['override_id'] as string}`, { method: 'DELETE', ifMatch: '*' });
  });
});

describe('R53 GET /v1/overrides', () => {
  it('by key, by rule, live or not; a list that time changes has another tag then', async () => {
    const a = await created({ ...OVERRIDE, key_id: 'key-a', rule_id: 'window' });
    const b = await created({ ...OVERRIDE, key_id: 'key-b', rule_id: 'window' });
    const c = await created({ ...OVERRIDE, key_id: 'key-b', rule_id: 'plan:free' });
    const short = await created({ ...OVERRIDE, expires_at: inMs(1_200) });
    expect((await overrideIds(plane, '&key_id=key-b')).sort()).toEqual([b, c].sort());
    expect(await overrideIds(plane, '&rule_id=plan:free')).toEqual([c]);
    expect(await overrideIds(plane, '&key_id=key-a&rule_id=plan:free')).toEqual([]);
    const live = await plane.call('/v1/overrides?live=true');
    expect(live.text).toContain(short);
    expect((await plane.call('/v1/overrides?live=true', { ifNoneMatch: live.etag ?? '' })).status).toBe(304);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    const later = await plane.call('/v1/overrides?live=true', { ifNoneMatch: live.etag ?? '' });
    expect([later.status, later.body['version'], (later.body['overrides'] as unknown[]).length]).toEqual([200, live.body['version'], 3]);
    expect(await overrideIds(plane, '&live=false')).toEqual([short]);
    for (const query of ['live=yes', 'live=', 'key_id=a%20b', 'rule_id=x:y', 'limit=0', `cursor=${(await plane.call('/v1/overrides?limit=1')).body['next_cursor'] as string}&live=true`]) {
      expect([query, (await plane.call(`/v1/overrides?${query}`)).status]).toEqual([query, 400]);
    }
    for (const id of [a, b, c, short]) await plane.call(`/v1/overrides/${id}`, { method: 'DELETE', ifMatch: '*' });
  });

  it('paging under concurrent writes loses and repeats nothing that is there throughout', async () => {
    const stable: string[] = [];
    for (let each = 0; each < 30; each += 1) stable.push(await created(OVERRIDE));
    stable.sort();
    let writing = true;
    const writer = (async () => {
      while (writing) {
        const id = await created({ ...OVERRIDE, key_id: 'key-b' });
        await plane.call(`/v1/overrides/${id}`, { method: 'DELETE', ifMatch: '*' });
      }
    })();
    for (let pass = 0; pass < 5; pass += 1) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body }: Answer = await plane.call(`/v1/overrides?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...(body['overrides'] as { override_id: string }[]).map(({ override_id }) => override_id));
        cursor = body['next_cursor'] as string | null;
      }
      expect(seen.filter((id) => stable.includes(id))).toEqual(stable);
      expect(new Set(seen).size).toBe(seen.length);
    }
    writing = false;
    await writer;
    for (const id of stable) await plane.call(`/v1/overrides/${id}`, { method: 'DELETE', ifMatch: '*' });
  }, 30_000);
});
