import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';
import { createOverride, furnish, inMs, OVERRIDE, overrideIds } from './override-plane.js';

const TTL_MS = 1_500;

let plane: ControlPlane;
let second: ControlPlane;
let client: Client;
beforeAll(async () => {
  plane = await startControlPlane();
  second = await startControlPlane({ databaseUrl: plane.databaseUrl });
  await furnish(plane);
  client = new Client(plane.databaseUrl);
  await client.connect();
}, 60_000);
afterAll(async () => {
  await client.end();
  await second.close();
  await plane.close();
});

const versionNow = async (): Promise<unknown> => (await plane.call('/v1/overrides')).body['version'];

/** Sends it again while it is told that the first one is still running. */
async function untilAnswered(on: ControlPlane, key: string, json: object): Promise<{ readonly answer: Answer; readonly conflicts: number }> {
  for (let conflicts = 0; ; conflicts += 1) {
    const answer = await createOverride(on, json, key);
    if (answer.status !== 409) return { answer, conflicts };
    expect([answer.body['type'], answer.headers.get('retry-after')]).toEqual(['urn:sluice:problem:request-in-progress', '1']);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('R52 Idempotency-Key', () => {
  it('the same request again replays the first answer to the byte, on another instance too, and changes nothing', async () => {
    const key = `"${randomUUID()}"`;
    const first = await createOverride(plane, OVERRIDE, key);
    expect([first.status, first.headers.has('idempotency-replayed')]).toEqual([201, false]);
    const before = await versionNow();
    for (const on of [plane, second]) {
      const again = await createOverride(on, OVERRIDE, key);
      expect([again.status, again.text, again.etag, again.headers.get('location'), again.headers.get('idempotency-replayed')]).toEqual([201, first.text, first.etag, first.headers.get('location'), 'true']);
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    }
    expect(await versionNow()).toBe(before);
  });

  it('bodies that differ in the order of fields and white space alone are the same, and so are a quoted and a bare key', async () => {
    const key = randomUUID();
    const first = await createOverride(plane, { ...OVERRIDE, reason: 'ä' }, key);
    const raw = ` {\n "reason": "\\u00e4", "limit": 5e2,\t"expires_at": ${JSON.stringify(OVERRIDE.expires_at)}, "rule_id": "window", "key_id": "key-a"} `;
    const again = await createOverride(plane, {}, `"${key}"`, { raw });
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
  });

  it.each<[string, object]>([
    ['another limit', { limit: 501 }],
    ['another key', { key_id: 'key-b' }],
    ['a reason', { reason: 'more' }],
    ['the same time in other words', { expires_at: OVERRIDE.expires_at.replace('Z', '+00:00') }],
    ['an expiry that is over', { expires_at: inMs(-1000) }],
  ])('%s under the same key is a 422, and changes nothing', async (_name, other) => {
    const key = randomUUID();
    expect((await createOverride(plane, OVERRIDE, key)).status).toBe(201);
    const before = await versionNow();
    const answer = await createOverride(second, { ...OVERRIDE, ...other }, key);
    expect([answer.status, answer.body['type']]).toEqual([422, 'urn:sluice:problem:idempotency-key-reused']);
    expect(await versionNow()).toBe(before);
  });

  it.each([null, '""', '', 'a b', 'a,b', '"a', 'x'.repeat(256)])('the key %j is a 400 that points at the field', async (key) => {
    const answer = await createOverride(plane, OVERRIDE, key);
    expect([answer.status, answer.body['errors']]).toEqual([400, [{ pointer: '/header/Idempotency-Key', detail: expect.any(String) }]]);
  });

  it('a request that failed is not kept: corrected, it may go under the same key', async () => {
    const key = randomUUID();
    expect((await createOverride(plane, { ...OVERRIDE, rule_id: 'late' }, key)).status).toBe(400);
    expect((await createOverride(plane, OVERRIDE, key)).status).toBe(201);
  });

  it('the first answer is replayed after the override has expired, and after it was deleted', async () => {
    const key = randomUUID();
    const json = { ...OVERRIDE, expires_at: inMs(400) };
    const first = await createOverride(plane, json, key);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await createOverride(plane, json, key)).text).toBe(first.text);
    await plane.call(first.headers.get('location') ?? '', { method: 'DELETE', ifMatch: '*' });
    const again = await createOverride(plane, json, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it('still running is a 409 at once, also on another instance; then it replays', async () => {
    const key = randomUUID();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM config_version FOR UPDATE');
    const first = createOverride(plane, OVERRIDE, key);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const started = performance.now();
    for (const on of [plane, second]) {
      const meanwhile = await createOverride(on, OVERRIDE, key);
      expect([meanwhile.status, meanwhile.body['type'], meanwhile.headers.get('retry-after')]).toEqual([409, 'urn:sluice:problem:request-in-progress', '1']);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
    await client.query('COMMIT');
    expect((await first).status).toBe(201);
    expect((await createOverride(second, OVERRIDE, key)).text).toBe((await first).text);
  });

  it('a double submit of one key from 20 clients on two instances makes one override', async () => {
    let conflicts = 0;
    for (let round = 0; round < 10; round += 1) {
      const key = randomUUID();
      const before = new Set(await overrideIds(plane));
      const answers = await Promise.all(Array.from({ length: 20 }, (_, each) => untilAnswered(each % 2 === 0 ? plane : second, key, { ...OVERRIDE, limit: 1000 + round })));
      expect(new Set(answers.map(({ answer }) => `${answer.status} ${answer.text}`)).size).toBe(1);
      expect(answers[0]?.answer.status).toBe(201);
      expect(answers.filter(({ answer }) => !answer.headers.has('idempotency-replayed'))).toHaveLength(1);
      expect((await overrideIds(plane)).filter((id) => !before.has(id))).toEqual([answers[0]?.answer.body['override_id']]);
      conflicts += answers.reduce((sum, each) => sum + each.conflicts, 0);
    }
    expect(conflicts).toBeGreaterThan(0);
  }, 30_000);

  it('a key is the caller\'s and the route\'s own', async () => {
    const key = randomUUID();
    await createOverride(plane, OVERRIDE, key);
    const { rows } = await client.query('SELECT actor, route, key FROM idempotency_record WHERE key = $1', [key]);
    expect(rows).toEqual([{ actor: expect.stringMatching(/^token:/), route: 'POST /v1/overrides', key }]);
  });
});

describe('R52 records expire', () => {
  it('after the TTL a request under the same key is a new one, and what expired is put away', async () => {
    const short = await startControlPlane({ databaseUrl: plane.databaseUrl, idempotencyTtlMs: TTL_MS });
    const key = randomUUID();
    const first = await createOverride(short, OVERRIDE, key);
    expect((await createOverride(short, OVERRIDE, key)).text).toBe(first.text);
    await new Promise((resolve) => setTimeout(resolve, TTL_MS + 100));
    const renewed = await createOverride(short, { ...OVERRIDE, limit: 7 }, key);
    expect([renewed.status, renewed.body['override_id'] === first.body['override_id']]).toEqual([201, false]);
    expect((await createOverride(short, { ...OVERRIDE, limit: 7 }, key)).text).toBe(renewed.text);
    await short.close();
  }, 30_000);
});
