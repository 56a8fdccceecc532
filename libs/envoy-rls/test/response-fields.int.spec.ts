import type { Rule } from '@sluice/rules';
import { type RedisServer, startRedis } from '@sluice/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import { CODE, type RateLimitResponse } from '../src/messages.js';
import { answered, descriptor, fieldsOf, request } from './support/ask.js';
import { type ServiceOnRedis, serviceOnRedis } from './support/service-on-redis.js';

const HOURLY = { algorithm: 'fixed_window', consistency: 'exact', window_seconds: 3600 } as const;
const FIELDS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit-policy', 'ratelimit'];

let redis: RedisServer;
let open: ServiceOnRedis | undefined;

async function on(rules: readonly Partial<Rule>[], options: Parameters<typeof serviceOnRedis>[2] = {}): Promise<ServiceOnRedis> {
  open = await serviceOnRedis(redis, rules, options);
  return open;
}
const ask = async (of: ServiceOnRedis, ...descriptors: readonly ReturnType<typeof descriptor>[]): Promise<RateLimitResponse> => answered(of.service(request(descriptors)));

beforeAll(async () => {
  redis = await startRedis();
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(() => redis.stop());

describe('R73 R70 response_headers_to_add (15)', () => {
  it('are the fields of every surface, in lower case, on OK and on over alike; a refusal adds what it needs', async () => {
    const at = await on([{ ...HOURLY, count_by: ['k'], policy: 'per-key', limit: 1 }]);
    const allowed = fieldsOf(await ask(at, descriptor({ k: 'v' })));
    expect(Object.keys(allowed)).toEqual(FIELDS);
    expect(allowed).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'ratelimit-policy': '"per-key";q=1;w=3600' });
    const refused = await ask(at, descriptor({ k: 'v' }));
    expect(Object.keys(fieldsOf(refused))).toEqual([...FIELDS, 'retry-after', 'cache-control', 'content-type']);
    expect(fieldsOf(refused)).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/problem+json', 'retry-after': expect.stringMatching(/^\d+$/) });
    expect(refused.requestHeadersToAdd).toEqual([]);
  });

  it('come with the problem document as raw_body on a refusal, and without one else', async () => {
    const at = await on([{ ...HOURLY, count_by: ['k'], policy: 'per-key', limit: 1 }]);
    expect((await ask(at, descriptor({ k: 'v' }))).rawBody).toBe('');
    const refused = await ask(at, descriptor({ k: 'v' }));
    expect(JSON.parse(refused.rawBody)).toEqual({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      title: 'Too Many Requests',
      status: 429,
      detail: expect.stringContaining('The quota of 1 is used up'),
      'violated-policies': ['per-key'],
      reason: 'quota',
      retry_after_seconds: Number(fieldsOf(refused)['retry-after']),
    });
  });

  it('are of the descriptor with the fewest permits left that has a limit; none has any where nothing applies', async () => {
    const at = await on([{ ...HOURLY, count_by: ['a'], policy: 'a', limit: 9 }, { ...HOURLY, count_by: ['b'], policy: 'b', limit: 3 }]);
    expect(fieldsOf(await ask(at, descriptor({ a: '1' }), descriptor({ none: '1' }), descriptor({ b: '1' })))).toMatchObject({ 'x-ratelimit-limit': '3', 'ratelimit-policy': '"b";q=3;w=3600' });
    expect((await ask(at, descriptor({ none: '1' }))).responseHeadersToAdd).toEqual([]);
  });

  it('are of the one that refuses, however few another one has left, and of the longest wait where several do', async () => {
    const at = await on([
      { ...HOURLY, count_by: ['a'], policy: 'a', limit: 1 },
      { ...HOURLY, count_by: ['b'], policy: 'b', limit: 1, window_seconds: 86_400 },
      { ...HOURLY, count_by: ['c'], policy: 'c', limit: 1 },
    ]);
    await ask(at, descriptor({ a: '1' }));
    expect(fieldsOf(await ask(at, descriptor({ c: '1' }), descriptor({ a: '1' })))['ratelimit-policy']).toContain('"a"');
    await ask(at, descriptor({ b: '1' }));
    const refused = await ask(at, descriptor({ a: '1' }), descriptor({ b: '1' }));
    // Unless the day ends with the hour.
    const dayEndsMs = 86_400_000 - (Date.now() % 86_400_000);
    if (dayEndsMs > 3_600_000) expect(fieldsOf(refused)['ratelimit-policy']).toContain('"b"');
    expect(Number(fieldsOf(refused)['retry-after'])).toBeGreaterThanOrEqual(Math.floor(dayEndsMs / 1000));
  });

  it.each([
    ['ietf', ['ratelimit-policy', 'ratelimit']],
    ['legacy', ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']],
    ['none', []],
  ] as const)('with the choice %s are those alone; what a refusal needs stays', async (headers, names) => {
    const at = await on([{ ...HOURLY, count_by: ['k'] }], { headers });
    expect(Object.keys(fieldsOf(await ask(at, descriptor({ k: 'v' }))))).toEqual(names);
    expect(Object.keys(fieldsOf(await ask(at, descriptor({ k: 'v' }))))).toEqual([...names, 'retry-after', 'cache-control', 'content-type']);
  });

  it('say when to come back: a client that waits Retry-After is served', async () => {
    const at = await on([{ algorithm: 'sliding_log', consistency: 'exact', count_by: ['k'], window_seconds: 1, limit: 1 }]);
    await ask(at, descriptor({ k: 'v' }));
    const refused = await ask(at, descriptor({ k: 'v' }));
    expect(refused.overallCode).toBe(CODE.overLimit);
    await sleep(Number(fieldsOf(refused)['retry-after']) * 1000);
    expect((await ask(at, descriptor({ k: 'v' }))).overallCode).toBe(CODE.ok);
  });
});

describe('R73 R41 the store is away (16)', () => {
  let broken: RedisServer;
  beforeAll(async () => {
    broken = await startRedis();
  });
  afterAll(() => broken.stop());

  it('deviation: each rule says what happens, and no call fails: allow goes by the fallback, deny is over with the reason in the body', async () => {
    const at = await serviceOnRedis(broken, [
      { ...HOURLY, descriptors: { k: 'search' }, count_by: ['k'], limit: 100 },
      { ...HOURLY, descriptors: { k: 'login' }, count_by: ['k'], limit: 100, on_store_failure: 'deny' },
    ]);
    try {
      await broken.kill();
      expect((await ask(at, descriptor({ k: 'search' }))).overallCode).toBe(CODE.ok);
      const refused = await ask(at, descriptor({ k: 'login' }));
      expect([refused.overallCode, refused.statuses[0]?.code]).toEqual([CODE.overLimit, CODE.overLimit]);
      expect(fieldsOf(refused)).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
      expect(JSON.parse(refused.rawBody)).toMatchObject({ type: expect.stringContaining('temporary-reduced-capacity'), status: 429, reason: 'store_unavailable' });
      const both = await ask(at, descriptor({ k: 'search' }), descriptor({ k: 'login' }));
      expect([both.overallCode, ...both.statuses.map(({ code }) => code)]).toEqual([CODE.overLimit, CODE.ok, CODE.overLimit]);
    } finally {
      await at.close();
    }
  });
});
