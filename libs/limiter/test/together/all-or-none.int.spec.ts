import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { sharedRedis } from '@sluice/testkit';
import { createLimiter, redisStore, type Limiter, type RequestPart } from '../../src/index.js';
import { rulesOf, START_MS, type RuleInput } from '../support/fixture.js';
import { STORES, type Bench } from '../support/stores.js';

const CALLERS = ['a', 'b', 'c'];
const PLACES = ['x', 'y'];
/** Counters that several parts meet: per caller, per place and per both. */
const rules = (consistency: 'leased' | 'exact', limits: readonly number[]): RuleInput[] => [
  { rule_id: 'caller', policy: 'caller', limit: limits[0] ?? 1, window_seconds: 3_600, consistency, algorithm: 'fixed_window' },
  { rule_id: 'place', policy: 'place', count_by: ['place'], limit: limits[1] ?? 1, window_seconds: 3_600, consistency },
  { rule_id: 'both', policy: 'both', count_by: ['key_id', 'place'], limit: limits[2] ?? 1, window_seconds: 3_600, consistency, algorithm: 'token_bucket' },
];
const parts = fc.array(
  fc.record({ key_id: fc.constantFrom(...CALLERS), place: fc.constantFrom(...PLACES, undefined), cost: fc.integer({ min: 0, max: 4 }) }),
  { minLength: 2, maxLength: 5 },
);
type Asked = { readonly key_id: string; readonly place: string | undefined; readonly cost: number };
const requestOf = (asked: readonly Asked[]): RequestPart[] => asked.map(({ key_id, place, cost }) => ({ attributes: { key_id, place }, cost }));

function limiterOn({ store, clock }: Bench, consistency: 'leased' | 'exact', limits: readonly number[]): Limiter {
  return createLimiter({ store, clock, rules: rulesOf(rules(consistency, limits)), fleetSize: 1, keyPrefix: randomBytes(6).toString('hex') });
}

/** What each counter counts, by the store, once nothing is held. */
class Ledger {
  private readonly counts = new Map<string, number>();

  add(asked: readonly Asked[]): void {
    for (const { key_id, place, cost } of asked) {
      for (const counter of [`caller ${key_id}`, ...(place === undefined ? [] : [`place ${place}`, `both ${key_id} ${place}`])]) this.counts.set(counter, (this.counts.get(counter) ?? 0) + cost);
    }
  }

  of(ruleId: string, key_id: string, place: string): number {
    return this.counts.get({ caller: `caller ${key_id}`, place: `place ${place}` }[ruleId] ?? `both ${key_id} ${place}`) ?? 0;
  }
}

async function expectCounted(limiter: Limiter, ledger: Ledger): Promise<void> {
  for (const key_id of CALLERS) {
    for (const place of PLACES) {
      for (const { ruleId, limit, remaining } of await limiter.limits({ key_id, place })) expect([ruleId, key_id, place, limit - remaining]).toEqual([ruleId, key_id, place, ledger.of(ruleId, key_id, place)]);
    }
  }
}

describe.each(STORES)('R8 requests of several parts on %s', (name, open) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  }, 60_000);
  afterAll(() => bench.store.close());

  it.each(['exact', 'leased'] as const)('%s: the sum charged is the sum of the costs of what was allowed', async (consistency) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 3, maxLength: 3 }), fc.array(fc.array(parts, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }), async (limits, bursts) => {
        bench.clock.set(START_MS);
        const limiter = limiterOn(bench, consistency, limits);
        const ledger = new Ledger();
        for (const burst of bursts) {
          const decided = await Promise.all(burst.map(async (asked) => ({ asked, decisions: await limiter.checkTogether(requestOf(asked)) })));
          for (const { asked, decisions } of decided) {
            const charging = decisions.filter((_decision, at) => asked[at]?.cost !== 0);
            const allowed = charging.every((decision) => decision.allowed);
            if (allowed) ledger.add(asked);
            const charges = decisions.flatMap(({ policies }) => policies.map(({ charge }) => charge?.amount ?? 0)).filter((amount) => amount > 0);
            expect(charges).toEqual(allowed ? asked.flatMap(({ cost, place }) => Array<number>(cost === 0 ? 0 : place === undefined ? 1 : 3).fill(cost)) : []);
          }
        }
        await expectCounted(limiter, ledger);
        await limiter.close();
      }),
      { seed: 31, numRuns: name === 'memory' ? 150 : 40 },
    );
  }, 30_000);

  it('limit 3, two parts of cost 2 are refused and charged nowhere, 1 and 2 are allowed and charged 3', async () => {
    for (const consistency of ['exact', 'leased'] as const) {
      const limiter = limiterOn(bench, consistency, [3, 3, 3]);
      const two = (first: number, second: number) => limiter.checkTogether(requestOf([{ key_id: 'a', place: undefined, cost: first }, { key_id: 'a', place: undefined, cost: second }]));
      const used = async (): Promise<number[]> => (await limiter.limits({ key_id: 'a' })).map(({ limit, remaining }) => limit - remaining);
      expect((await two(2, 2)).map(({ allowed }) => allowed)).toEqual([true, false]);
      expect(await used()).toEqual([0]);
      expect((await two(1, 2)).map(({ allowed }) => allowed)).toEqual([true, true]);
      expect(await used()).toEqual([3]);
      await limiter.close();
    }
  });
});

describe('R7 a refused request of several parts', () => {
  it('leaves the store as it was, byte by byte', async () => {
    const { url } = await sharedRedis();
    const admin = new Redis(url);
    let nowMs = START_MS;
    const store = redisStore({ url, timeoutMs: 5_000, nowMs: () => nowMs });
    await store.ready(5_000);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 3, maxLength: 3 }), fc.array(parts, { minLength: 1, maxLength: 6 }), async (limits, requests) => {
        const keyPrefix = randomBytes(6).toString('hex');
        const limiter = createLimiter({ store, rules: rulesOf(rules('exact', limits)), fleetSize: 1, keyPrefix, clock: { nowMs: () => nowMs, every: () => () => undefined } });
        for (const asked of requests) {
          nowMs += 7;
          const before = await bytesOf(admin, keyPrefix);
          const decisions = await limiter.checkTogether(requestOf(asked));
          if (decisions.every((decision, at) => decision.allowed || asked[at]?.cost === 0)) continue;
          refused += 1;
          expect(await bytesOf(admin, keyPrefix)).toEqual(before);
        }
        await limiter.close();
      }),
      { seed: 7, numRuns: 60 },
    );
    expect(refused).toBeGreaterThan(30);
    await store.close();
    admin.disconnect();
  }, 30_000);
});

async function bytesOf(admin: Redis, keyPrefix: string): Promise<readonly (readonly [key: string, value: string | undefined])[]> {
  const keys = (await admin.keys(`${keyPrefix}*`)).filter((key) => !key.includes('{nodes}')).sort();
  return Promise.all(keys.map(async (key) => [key, (await admin.dumpBuffer(key))?.toString('base64')] as const));
}
