import { decodeConfigChanged, TOPICS } from '@sluice/events';
import { type Answer, type ControlPlane, startControlPlane, until } from './control-plane.js';

const RULE = { plan: 'free', endpoint: '*', limit: 5, window_seconds: 1 };

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', { name: 'Free' });
  await plane.put('/v1/plans/pro', {});
}, 60_000);
afterAll(() => plane.close());

let next = 0;
/** A rule of its own for a test, which meets no other one. */
async function newRule(): Promise<{ readonly path: string; readonly rule: typeof RULE }> {
  next += 1;
  const path = `/v1/rules/rule-${next}`;
  const rule = { ...RULE, endpoint: `/rule-${next}` };
  expect((await plane.put(path, rule)).status).toBe(201);
  return { path, rule };
}

const version = async (): Promise<unknown> => (await plane.call('/v1/rules?limit=1')).body['version'];

describe('R51 PUT /v1/rules/{rule_id} under preconditions', () => {
  it('If-None-Match: * creates: 201 with id, version, tag and place', async () => {
    const rule = { ...RULE, endpoint: '/created' };
    const answer = await plane.put('/v1/rules/created', rule);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ rule_id: 'created', version: 1 });
    expect(answer.etag).toBe('"v1"');
    expect(answer.headers.get('location')).toBe('/v1/rules/created');
    expect((await plane.call('/v1/rules/created')).body).toEqual({ rule_id: 'created', version: 1, ...rule });
  });

  it('the right If-Match replaces: 200 {rule_id, version}, a strong tag, and absent fields are gone', async () => {
    const { path, rule } = await newRule();
    await plane.put(path, { ...rule, mode: 'shadow', descriptors: { region: 'eu' } }, { ifMatch: '"v1"' });
    const answer = await plane.put(path, { limit: 20, window_seconds: 1 }, { ifMatch: '"v2"' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ rule_id: path.slice(10), version: 3 });
    expect(answer.etag).toBe('"v3"');
    expect((await plane.call(path)).body).toEqual({ rule_id: path.slice(10), version: 3, limit: 20, window_seconds: 1 });
  });

  it.each([
    ['an old tag', { ifMatch: '"v7"' }, 'version-mismatch'],
    ['no precondition', {}, 'precondition-required'],
    ['a weak tag', { ifMatch: 'W/"v1"' }, 'version-mismatch'],
    ['a tag without quotes', { ifMatch: 'v1' }, 'version-mismatch'],
    ['an empty list', { ifMatch: ',' }, 'version-mismatch'],
    ['If-None-Match: *', { ifNoneMatch: '*' }, 'already-exists'],
    ['If-None-Match with a tag', { ifNoneMatch: '"v1"' }, 'precondition-required'],
  ])('%s on a rule that exists: 412 that says how to go on, nothing changed', async (_name, precondition, slug) => {
    const { path, rule } = await newRule();
    const before = await version();
    const answer = await plane.put(path, { ...rule, limit: 99 }, precondition);
    expect(answer.status).toBe(412);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(answer.body).toMatchObject({ type: `urn:sluice:problem:${slug}`, status: 412, detail: expect.stringContaining('If-'), current_version: 1, current_etag: '"v1"' });
    expect((await plane.call(path)).body).toMatchObject({ version: 1, limit: 5 });
    expect(await version()).toBe(before);
  });

  it.each([
    ['a tag', { ifMatch: '"v1"' }, 'does-not-exist'],
    ['If-Match: *', { ifMatch: '*' }, 'does-not-exist'],
    ['no precondition', {}, 'precondition-required'],
  ])('%s on a rule that does not exist: 412 that says how to create', async (_name, precondition, slug) => {
    const answer = await plane.put('/v1/rules/nowhere', RULE, precondition);
    expect(answer.status).toBe(412);
    expect(answer.body).toMatchObject({ type: `urn:sluice:problem:${slug}`, detail: expect.stringContaining('If-None-Match: *') });
    expect((await plane.call('/v1/rules/nowhere')).status).toBe(404);
  });

  it('If-Match: * and a list of tags match what is there', async () => {
    const { path, rule } = await newRule();
    expect((await plane.put(path, { ...rule, limit: 6 }, { ifMatch: '*' })).status).toBe(200);
    expect((await plane.put(path, { ...rule, limit: 7 }, { ifMatch: '"v1", W/"v2", "v2"' })).status).toBe(200);
  });

  it('two editors racing: one 200, one 412, ten times', async () => {
    const { path, rule } = await newRule();
    for (let round = 1; round <= 10; round += 1) {
      const edits = [1, 2, 3].map((editor) => plane.put(path, { ...rule, limit: 100 * round + editor }, { ifMatch: `"v${round}"` }));
      const statuses = (await Promise.all(edits)).map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 412, 412]);
      expect((await plane.call(path)).body['version']).toBe(round + 1);
    }
  });

  it('two creators racing: one 201, one 412', async () => {
    const answers = await Promise.all([plane.put('/v1/rules/raced', RULE), plane.put('/v1/rules/raced', RULE)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412]);
  });

  it('known failure 54: the same again, also with defaults spelled out, follows the precondition and changes no version', async () => {
    const { path, rule } = await newRule();
    const before = await version();
    for (const same of [rule, { ...rule, mode: 'enforce', count_by: ['key_id'], policy: 'default', algorithm: 'sliding_counter', shards: 1 }]) {
      const answer = await plane.put(path, same, { ifMatch: '"v1"' });
      expect(answer.status).toBe(200);
      expect(answer.body['version']).toBe(1);
      expect(answer.etag).toBe('"v1"');
    }
    expect((await plane.put(path, rule, { ifMatch: '"v2"' })).status).toBe(412);
    expect(await version()).toBe(before);
  });
});

describe('R51 GET and DELETE /v1/rules/{rule_id}', () => {
  it('GET gives the tag, and 304 to who holds it (weak comparison)', async () => {
    const { path } = await newRule();
    expect((await plane.call(path)).etag).toBe('"v1"');
    for (const held of ['"v1"', 'W/"v1"', '"x", "v1"', '*']) {
      const answer = await plane.call(path, { ifNoneMatch: held });
      expect([held, answer.status, answer.text, answer.etag]).toEqual([held, 304, '', '"v1"']);
    }
    expect((await plane.call(path, { ifNoneMatch: '"v2"' })).status).toBe(200);
    expect((await plane.call(path, { method: 'HEAD' })).headers.get('etag')).toBe('"v1"');
  });

  it('DELETE: 412 without the right tag, 204 with it, 404 afterwards', async () => {
    const { path } = await newRule();
    expect((await plane.call(path, { method: 'DELETE' })).body['type']).toBe('urn:sluice:problem:precondition-required');
    expect((await plane.call(path, { method: 'DELETE', ifMatch: '"v2"' })).body['type']).toBe('urn:sluice:problem:version-mismatch');
    const gone = await plane.call(path, { method: 'DELETE', ifMatch: '"v1"' });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await plane.call(path)).status).toBe(404);
    expect((await plane.call(path, { method: 'DELETE', ifMatch: '"v1"' })).status).toBe(404);
  });

  it('a rule that comes back goes on with its versions, so that an old tag does not fit it', async () => {
    const { path, rule } = await newRule();
    await plane.call(path, { method: 'DELETE', ifMatch: '"v1"' });
    expect((await plane.put(path, rule)).body['version']).toBe(2);
    expect((await plane.put(path, { ...rule, limit: 9 }, { ifMatch: '"v1"' })).status).toBe(412);
  });

  it('an editor and a deleter racing: exactly one wins', async () => {
    const { path, rule } = await newRule();
    const answers = await Promise.all([plane.put(path, { ...rule, limit: 8 }, { ifMatch: '"v1"' }), plane.call(path, { method: 'DELETE', ifMatch: '"v1"' })]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect([404, 412]).toContain(statuses.find((status) => status >= 400));
  });
});

function pointers(answer: Answer): string[] {
  return (answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).sort();
}

describe('R57 a rule is validated before it is published', () => {
  it.each([
    [{ plan: 'nope', endpoint: 'hello', limit: 0, window_seconds: -1, foo: 1 }, ['/endpoint', '/foo', '/limit', '/plan', '/window_seconds']],
    [{ limit: '5', window_seconds: 1e9 }, ['/limit', '/window_seconds']],
    [{ limit: 0, window_seconds: 1, consistency: 'gossip', region_mode: 'home' }, ['/consistency', '/limit', '/region_mode']],
  ])('tells all faults at once: %j', async (body, expected) => {
    expect(pointers(await plane.put('/v1/rules/never', body))).toEqual(expected);
  });

  it.each([
    [{ limit: 0 }, ['/limit']],
    [{ limit: -5 }, ['/limit']],
    [{ limit: 1.5 }, ['/limit']],
    [{ limit: '5' }, ['/limit']],
    [{ limit: null }, ['/limit']],
    [{ limit: 9_007_199_254_740_992 }, ['/limit']],
    [{ window_seconds: 0 }, ['/window_seconds']],
    [{ window_seconds: 0.0001 }, ['/window_seconds']],
    [{ window_seconds: 1e12 }, ['/window_seconds']],
    [{ window_seconds: null }, ['/window_seconds']],
    [{ plan: 'platinum' }, ['/plan']],
    [{ plan: null }, ['/plan']],
    [{ endpoint: 'get /x' }, ['/endpoint']],
    [{ mode: 'maybe' }, ['/mode']],
    [{ mode: null }, ['/mode']],
    [{ algorithm: 'magic' }, ['/algorithm']],
    [{ burst: 0, algorithm: 'token_bucket' }, ['/burst']],
    [{ calendar: { unit: 'month', time_zone: 'Mars/Base' } }, ['/calendar', '/calendar/time_zone', '/window_seconds']],
    [{ calendar: { unit: 'eon', time_zone: 'UTC' } }, ['/calendar/unit']],
    [{ calendar: [] }, ['/calendar']],
    [{ descriptors: { a: 1 } }, ['/descriptors/a']],
    [{ descriptors: [] }, ['/descriptors']],
    [{ count_by: [] }, ['/count_by']],
    [{ count_by: 'key_id' }, ['/count_by']],
    [{ count_by: [1] }, ['/count_by/0']],
    [{ shards: 64 }, ['/shards']],
    [{ limitt: 5 }, ['/limitt']],
    [{ rule_id: 'other' }, ['/rule_id']],
    [{ version: 3 }, ['/version']],
    [{ 'a/b~c': 1 }, ['/a~1b~0c']],
    [{ domain: 'a\u0000b' }, ['/domain']],
    [{ descriptors: { a: 'x\u0000' } }, ['/descriptors/a']],
    [{ descriptors: { a: '\ud800' } }, ['/descriptors/a']],
    [{ limit: 0, window_seconds: -1, mode: 'enforce' }, ['/limit', '/window_seconds']],
    [{ version: 3, rule_id: 'never', burst: 'x' }, ['/burst', '/rule_id', '/version']],
  ])('%j', async (wrong, expected) => {
    const before = await version();
    const answer = await plane.put('/v1/rules/never', { ...RULE, ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(answer.body['type']).toBe('urn:sluice:problem:invalid-request');
    expect(expected).toEqual(expect.arrayContaining(pointers(answer)));
    expect((await plane.call('/v1/rules/never')).status).toBe(404);
    expect(await version()).toBe(before);
  });

  it('takes all fields, and gives back what it was given', async () => {
    const full = {
      domain: 'edge', plan: 'pro', endpoint: 'GET /v1/items/{id}', descriptors: { region: '*' }, count_by: ['tenant_id', 'ip'], policy: 'burst', algorithm: 'token_bucket',
      limit: 1_000_000_000, window_seconds: 86_400, burst: 9_000_000, mode: 'shadow', on_store_failure: 'deny', consistency: 'exact', region_mode: 'regional', max_lease: 100, shards: 1, charge_denied: true,
    };
    expect((await plane.put('/v1/rules/full', full)).status).toBe(201);
    expect((await plane.call('/v1/rules/full')).body).toEqual({ rule_id: 'full', version: 1, ...full });
    const monthly = { endpoint: '/monthly', limit: 9_007_199_254_740_991, algorithm: 'fixed_window', calendar: { unit: 'month', time_zone: 'Europe/Berlin' } };
    expect((await plane.put('/v1/rules/monthly', monthly)).status).toBe(201);
    expect((await plane.call('/v1/rules/monthly')).body).toMatchObject(monthly);
    expect((await plane.put('/v1/rules/tenth', { endpoint: '/tenth', limit: 1, window_seconds: 0.1 })).status).toBe(201);
    expect((await plane.call('/v1/rules/tenth')).body['window_seconds']).toBe(0.1);
  });
});

describe('R55 a change wakes the nodes', () => {
  it('publishes the version after the commit, and nothing for what changed nothing', async () => {
    const versionIn = (text: string): number | undefined => {
      const decoded = decodeConfigChanged(text);
      return decoded.ok ? decoded.event.version : undefined;
    };
    const versions: (number | undefined)[] = [];
    const subscription = plane.bus.subscribe(TOPICS.config, 'broadcast', ({ value }) => void versions.push(versionIn(value.toString())));
    const { path, rule } = await newRule();
    const created = Number(await version());
    await until(() => versions.includes(created));
    versions.length = 0;
    await plane.put(path, rule, { ifMatch: '"v1"' });
    await plane.put(path, { ...rule, limit: 77 }, { ifMatch: '"v9"' });
    await plane.put(path, { ...rule, limit: 78 }, { ifMatch: '"v1"' });
    const changed = Number(await version());
    await until(() => versions.includes(changed));
    await subscription.close();
    expect(versions).toEqual([changed]);
  });
});
