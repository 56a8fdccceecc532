import { ALGORITHMS, quota, type Quota } from '@sluice/algorithms';
import fc from 'fast-check';
import { playScenario, STORE_SCENARIOS } from '../../algorithms/src/contract/index.js';
import { counterOf, freshKey, outcomeOf, STORES, type Bench } from './support/stores.js';

describe.each(STORES)('R2 R3 every algorithm on %s', (_name, open) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  }, 60_000);
  afterAll(() => bench.store.close());

  const plays = STORE_SCENARIOS.flatMap((scenario) => scenario.algorithms.map((algorithm) => [scenario.title, algorithm, scenario] as const));
  it.each(plays)('%s (%s)', async (_title, algorithm, scenario) => {
    expect(await playScenario(counterOf(bench), scenario, algorithm)).toEqual([]);
  }, 60_000);

  it.each(ALGORITHMS)('R4 eight nodes racing for five are granted five (%s)', async (algorithm) => {
    const of = quota({ algorithm, limit: 5, windowMs: 60_000 });
    const key = freshKey();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => bench.store.take([{ key, quota: of, need: 1, want: 1, backAmount: 0, backBucket: 0 }])),
    );
    expect(answers.flat().filter((answer) => outcomeOf(answer).granted === 1)).toHaveLength(5);
  });

  it.each(ALGORITHMS)('R21 grants between what is needed and what is wanted (%s)', async (algorithm) => {
    const of = quota({ algorithm, limit: 10, windowMs: 60_000 });
    const key = freshKey();
    const grants: number[] = [];
    for (const [need, want] of [[1, 7], [2, 7], [1, 1]] as const) {
      const [answer] = await bench.store.take([{ key, quota: of, need, want, backAmount: 0, backBucket: 0 }]);
      grants.push(outcomeOf(answer).granted);
    }
    expect(grants).toEqual([7, 3, 0]);
  });

  it.each(ALGORITHMS)('R23 takes an old lease back in the same step (%s)', async (algorithm) => {
    const of = quota({ algorithm, limit: 10, windowMs: 60_000 });
    const key = freshKey();
    const [first] = await bench.store.take([{ key, quota: of, need: 1, want: 10, backAmount: 0, backBucket: 0 }]);
    const [second] = await bench.store.take([{ key, quota: of, need: 1, want: 10, backAmount: 4, backBucket: outcomeOf(first).bucket }]);
    expect(outcomeOf(second)).toMatchObject({ granted: 4, remaining: 0 });
  });

  it('R14 charges several counters beyond their limits in one trip, each by itself', async () => {
    const debits = ALGORITHMS.map((algorithm) => ({ key: freshKey(), quota: quota({ algorithm, limit: 10, windowMs: 3_600_000 }), amount: 15 }));
    expect((await bench.store.charge(debits)).map((answer) => outcomeOf(answer).granted)).toEqual(debits.map(() => 15));
    const again = await bench.store.charge(debits.map((debit) => ({ ...debit, onlyIfAbsent: true })));
    expect(again.map((answer) => [outcomeOf(answer).granted, outcomeOf(answer).remaining])).toEqual(debits.map(() => [0, 0]));
  });

  it('R14 hands a reservation to one claimant, and to that one again', async () => {
    const key = freshKey();
    expect(await bench.store.reserve(key, '{"a":":"}', 60_000)).toBeUndefined();
    const claims = await Promise.all(['a', 'b', 'c', 'd'].map((claimant) => bench.store.claim(key, claimant)));
    expect(claims.filter((record) => record === '{"a":":"}')).toHaveLength(1);
    const again = await Promise.all(['a', 'b', 'c', 'd'].map((claimant) => bench.store.claim(key, claimant)));
    expect(again).toEqual(claims);
    expect(await bench.store.claim(freshKey(), 'a')).toBeUndefined();
  });

  it('R8 takes from several counters of mixed algorithms all or nothing', async () => {
    const tag = freshKey();
    const quotas = (limits: readonly number[]): Quota[] =>
      limits.map((limit, at) => quota({ algorithm: ALGORITHMS[at % ALGORITHMS.length] ?? 'gcra', limit, windowMs: 3_600_000 }));
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (limits, costs, oneSlot) => {
          round += 1;
          const asks = quotas(limits).map((of, at) => ({ key: `${oneSlot ? tag : freshKey()}:${round}:${at}`, quota: of, backAmount: 0, backBucket: 0 }));
          let charged = 0;
          for (const cost of costs) {
            const answers = (await bench.store.takeAll(asks.map((ask) => ({ ...ask, need: cost, want: cost })))).map(outcomeOf);
            const should = limits.every((limit) => charged + cost <= limit);
            expect(answers.map(({ granted }) => granted)).toEqual(limits.map(() => (should ? cost : 0)));
            if (should) charged += cost;
            expect(answers.map(({ remaining }) => remaining)).toEqual(limits.map((limit) => limit - charged));
          }
          const left = await bench.store.take(asks.map((ask) => ({ ...ask, need: 0, want: 0 })));
          expect(left.map((answer) => outcomeOf(answer).remaining)).toEqual(limits.map((limit) => limit - charged));
        },
      ),
      { seed: 8, numRuns: 60 },
    );
  }, 60_000);
});
