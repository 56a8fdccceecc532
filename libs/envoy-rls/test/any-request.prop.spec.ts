import { createLimiter, type Limiter, memoryStore, redisStore, type RedisStore } from '@sluice/limiter';
import type { Rule } from '@sluice/rules';
import { type RedisServer, startRedis } from '@sluice/testkit';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { CODE, type Descriptor, type RateLimitRequest } from '../src/messages.js';
import { createRateLimitService, type RateLimitService } from '../src/service/rate-limit-service.js';
import { descriptor, request } from './support/ask.js';
import { indexOf } from './support/service-on-redis.js';

const HOURLY = { algorithm: 'fixed_window', window_seconds: 3600 } as const;

const uint32 = fc.oneof(fc.constantFrom(0, 1, 2 ** 32 - 1), fc.nat(20));
const text = fc.oneof(fc.constantFrom('', 'a', 'a_2', 'domain', 'ip', 'remote_address', '__proto__', 'constructor', 'key_id', '::1'), fc.string({ maxLength: 8, unit: 'grapheme' }));

/** Anything that the codec can make. */
const anyDescriptor: fc.Arbitrary<Descriptor> = fc.record({
  entries: fc.array(fc.record({ key: text, value: text }), { maxLength: 4 }),
  limit: fc.option(fc.record({ requestsPerUnit: uint32, unit: fc.integer({ min: -1, max: 8 }) }), { nil: undefined, freq: 4 }),
  hitsAddend: fc.option(fc.oneof(uint32, fc.constant(Number.MAX_SAFE_INTEGER)), { nil: undefined }),
  isNegativeHits: fc.boolean(),
});
const anyRequest: fc.Arbitrary<RateLimitRequest> = fc.record({ domain: text, descriptors: fc.array(anyDescriptor, { maxLength: 4 }), hitsAddend: uint32 });

/** Counters of three letters, of which a request has one or more descriptors each, with costs around the limits. */
const LIMITS: Readonly<Record<string, number>> = { a: 20, b: 10, c: 5 };
const hits = fc.array(fc.record({ letter: fc.constantFrom(...Object.keys(LIMITS)), cost: fc.integer({ min: 0, max: 4 }) }), { minLength: 1, maxLength: 4 });

describe('R73 any request', () => {
  it('is answered: a fault that says why, or one status a descriptor with a code and numbers that fit', async () => {
    const limiter = createLimiter({ store: memoryStore({ nowMs: () => Date.now() }), rules: indexOf([{ ...HOURLY, count_by: ['key_id'], limit: 5 }, { ...HOURLY, count_by: ['ip'], policy: 'ip', limit: 5 }]) });
    const service = createRateLimitService({ limiter });
    await fc.assert(
      fc.asyncProperty(anyRequest, async (asked) => {
        const answer = await service(asked);
        if ('code' in answer) {
          expect([3, answer.message.length > 0]).toEqual([answer.code, true]);
          return;
        }
        expect(answer.statuses).toHaveLength(asked.descriptors.length);
        expect(answer.overallCode).toBe(answer.statuses.some(({ code }) => code === CODE.overLimit) ? CODE.overLimit : CODE.ok);
        expect(answer.rawBody !== '').toBe(answer.overallCode === CODE.overLimit);
        for (const { code, currentLimit, limitRemaining, durationUntilResetMs } of answer.statuses) {
          expect([CODE.ok, CODE.overLimit]).toContain(code);
          for (const number of [limitRemaining, currentLimit?.requestsPerUnit ?? 0]) expect(Number.isInteger(number) && number >= 0 && number < 2 ** 32).toBe(true);
          expect(durationUntilResetMs === undefined).toBe(currentLimit === undefined);
          expect((durationUntilResetMs ?? 1000) % 1000).toBe(0);
        }
        for (const { key, value } of answer.responseHeadersToAdd) expect([key, value]).toEqual([key.toLowerCase(), expect.stringMatching(/^[\x20-\x7e]+$/)]);
      }),
      { seed: 73, numRuns: 1500 },
    );
    await limiter.close();
  });

  describe('R8 on a real Redis', () => {
    let redis: RedisServer;
    let store: RedisStore;
    beforeAll(async () => {
      redis = await startRedis();
      store = redisStore({ url: redis.url, timeoutMs: 2_000 });
      await store.ready(5_000);
    });
    afterAll(async () => {
      await store.close();
      await redis.stop();
    });

    it.each(['exact', 'leased'] as const)('sequences of several descriptors leave what a model that charges all or none says, %s', async (consistency) => {
      const rules: Partial<Rule>[] = Object.entries(LIMITS).map(([letter, limit]) => ({ ...HOURLY, consistency, descriptors: { [letter]: '*' }, count_by: [letter], policy: letter, limit }));
      await fc.assert(
        fc.asyncProperty(fc.array(hits, { maxLength: 15 }), async (requests) => {
          const limiter: Limiter = createLimiter({ store, rules: indexOf(rules), keyPrefix: randomBytes(4).toString('hex') });
          const service = createRateLimitService({ limiter });
          const left: Record<string, number> = { ...LIMITS };
          for (const parts of requests) {
            const answer = await service(request(parts.map(({ letter, cost }) => descriptor({ [letter]: 'x' }, { hitsAddend: cost }))));
            if ('code' in answer) throw new Error(answer.message);
            const after = { ...left };
            for (const { letter, cost } of parts) after[letter] = (after[letter] ?? 0) - cost;
            const passes = Object.values(after).every((remaining) => remaining >= 0);
            expect([parts, answer.overallCode]).toEqual([parts, passes ? CODE.ok : CODE.overLimit]);
            if (passes) Object.assign(left, after);
          }
          expect(await remaining(service)).toEqual(left);
          await limiter.close();
        }),
        { seed: 8, numRuns: 40 },
      );
    });
  });
});

async function remaining(service: RateLimitService): Promise<Record<string, number>> {
  const letters = Object.keys(LIMITS);
  const answer = await service(request(letters.map((letter) => descriptor({ [letter]: 'x' }, { hitsAddend: 0 }))));
  if ('code' in answer) throw new Error(answer.message);
  return Object.fromEntries(letters.map((letter, at) => [letter, answer.statuses[at]?.limitRemaining ?? NaN]));
}
