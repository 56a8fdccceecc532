import fc from 'fast-check';
import { type ControlPlane, startControlPlane } from './control-plane.js';

let plane: ControlPlane;
let before: string;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', {});
  await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
  await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'A', key_id: 'k' } });
  await plane.put('/v1/rules/r', { plan: 'free', limit: 5, window_seconds: 1 });
  before = (await plane.call('/v1/rules?limit=1')).text;
}, 60_000);
afterAll(async () => {
  // Nothing of all this changed anything.
  expect((await plane.call('/v1/rules?limit=1')).text).toBe(before);
  await plane.close();
});

const RULE = { limit: 5, window_seconds: 1 };

describe('bad input is a 4xx problem, never a 500', () => {
  it.each([
    ['malformed JSON', { raw: '{"limit":' }, 400],
    ['no body', {}, 400],
    ['an empty body', { raw: '' }, 400],
    ['null', { raw: 'null' }, 400],
    ['an array', { raw: '[]' }, 400],
    ['a string', { raw: '"x"' }, 400],
    ['duplicate braces', { raw: '{}{}' }, 400],
    ['a form', { raw: 'limit=5', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['text', { raw: '{}', headers: { 'content-type': 'text/plain' } }, 415],
    ['merge-patch', { raw: '{}', headers: { 'content-type': 'application/merge-patch+json' } }, 415],
    ['70 KB', { raw: JSON.stringify({ ...RULE, endpoint: `/${'x'.repeat(70_000)}` }) }, 413],
    ['60 KB', { raw: JSON.stringify({ ...RULE, endpoint: `/${'x'.repeat(60_000)}` }) }, 400],
    ['30,000 brackets', { raw: '['.repeat(30_000) + ']'.repeat(30_000) }, 400],
    ['30,000 braces', { raw: `${'{"descriptors":'.repeat(4_000)}1${'}'.repeat(4_000)}` }, 400],
    ['infinity', { raw: '{"limit":1e400,"window_seconds":1}' }, 400],
    ['a number of 400 digits', { raw: `{"limit":${'9'.repeat(400)},"window_seconds":1}` }, 400],
    ['__proto__', { raw: '{"__proto__":{"limit":5},"window_seconds":1}' }, 400],
    ['constructor', { raw: '{"constructor":{"prototype":{}},"limit":5,"window_seconds":1}' }, 400],
    ['toString', { raw: '{"toString":1,"limit":5,"window_seconds":1}' }, 400],
    ['then', { raw: '{"then":1,"limit":5,"window_seconds":1}' }, 400],
    ['a NUL in a name', { raw: '{"descriptors":{"a\\u0000":"x"},"limit":5,"window_seconds":1}' }, 400],
    ['a NUL in a value', { raw: '{"descriptors":{"a":"\\u0000"},"limit":5,"window_seconds":1}' }, 400],
    ['half a surrogate pair', { raw: '{"domain":"\\ud800","limit":5,"window_seconds":1}' }, 400],
    ['1,000 unknown fields', { raw: JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, 1]))) }, 400],
    ['1,000 descriptors', { raw: JSON.stringify({ ...RULE, descriptors: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`d${index}`, 'x'])) }) }, 400],
  ])('PUT a rule with %s', async (_name, call, status) => {
    const answer = await plane.call('/v1/rules/new', { method: 'PUT', ifNoneMatch: '*', ...call });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, expect.stringContaining('application/problem+json')]);
  });

  it.each(['%00', 'a%00b', 'a%20b', 'a%2Fb', '%F0%9F%98%80', 'x'.repeat(65), 'x'.repeat(400), '__proto__', 'a:b', '%2e%2e%2f', '%2e', '%2e%2e', '_a', "'%20OR%201=1--", '%ED%A0%80', '%E0%A4%A'])(
    'an id %s is a 4xx everywhere',
    async (id) => {
      for (const kind of ['rules', 'plans', 'tenants', 'keys']) {
        for (const call of [{ method: 'GET' }, { method: 'DELETE', ifMatch: '*' }, kind === 'keys' ? { method: 'PATCH', json: {}, ifMatch: '*' } : { method: 'PUT', json: RULE, ifNoneMatch: '*' }]) {
          const answer = await plane.call(`/v1/${kind}/${id}`, call);
          expect([kind, call.method, answer.status >= 400 && answer.status < 500, answer.headers.get('content-type')]).toEqual([kind, call.method, true, expect.stringContaining('problem+json')]);
        }
      }
    },
  );

  it.each(['/v1/audit?actor=%00', '/v1/audit?actor=a%00b', '/v1/audit?request_id=%00', '/v1/rules/r/shadow-report?key_id=%00', '/v1/rules?%00=1'])('a NUL in a query, %s, is a 400', async (path) => {
    const answer = await plane.call(path);
    expect([answer.status, answer.body['errors']]).toEqual([400, [{ pointer: expect.stringMatching('^/query'), detail: expect.stringContaining('without NUL') }]]);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])('a query parameter %s is as unknown as any', async (name) => {
    for (const path of ['/v1/rules', '/v1/audit', '/v1/snapshot']) {
      const answer = await plane.call(`${path}?${name}=1`);
      expect([path, answer.status, answer.body['errors']]).toEqual([path, 400, [{ pointer: `/query/${name}`, detail: expect.stringContaining(name) }]]);
    }
  });

  it('headers that are odd are no reason to fail', async () => {
    for (const odd of ['"', 'W/', '"a" "b"', '*, "a"', '"'.repeat(7_000), `"${'a,'.repeat(3_000)}`]) {
      expect((await plane.call('/v1/rules/r', { ifNoneMatch: odd })).status).toBe(200);
      expect((await plane.call('/v1/snapshot?since=1', { ifNoneMatch: odd })).status).toBe(200);
      expect((await plane.put('/v1/rules/r', RULE, { ifMatch: odd })).status).toBe(412);
      expect((await plane.call('/v1/rules/r', { method: 'DELETE', ifMatch: odd })).status).toBe(412);
    }
  });

  it('405 with Allow for methods that a path does not have', async () => {
    for (const [method, path, allow] of [
      ['POST', '/v1/rules', 'GET, HEAD'],
      ['PATCH', '/v1/rules/r', 'DELETE, GET, HEAD, PUT'],
      ['GET', '/v1/keys:lookup', 'POST'],
      ['DELETE', '/v1/snapshot', 'GET, HEAD'],
    ] as const) {
      const answer = await plane.call(path, { method });
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allow]);
    }
    expect((await plane.call('/v1/nothing')).status).toBe(404);
  });

  it('any JSON at all as a body: 400, or the 412 and 409 of a body that happens to be good', async () => {
    const targets = [
      ['PUT', '/v1/rules/r'],
      ['PUT', '/v1/plans/free'],
      ['PUT', '/v1/tenants/acme'],
      ['PATCH', '/v1/keys/k'],
      ['POST', '/v1/keys:lookup'],
    ] as const;
    const field = fc.constantFrom('limit', 'window_seconds', 'plan', 'endpoint', 'calendar', 'descriptors', 'count_by', 'algorithm', 'burst', 'name', 'plan_id', 'default_limit', 'disabled', 'key_hash', 'toString', '');
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.integer(), fc.double(), fc.string({ unit: 'binary' }), fc.constant('\u0000'), fc.constant('\ud83d'));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...targets), fc.dictionary(field, value, { maxKeys: 6 }), async ([method, path], json) => {
        const answer = await plane.call(path, { method, json, ...(method === 'POST' ? {} : { ifMatch: '"v999"' }) });
        expect([400, 404, 412]).toContain(answer.status);
        expect(answer.headers.get('content-type')).toMatch('problem+json');
      }),
      { numRuns: 400, seed: 57 },
    );
  }, 30_000);
});
