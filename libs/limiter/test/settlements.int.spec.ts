import { ALGORITHMS, quota, type Quota } from '@sluice/algorithms';
import fc from 'fast-check';
import { createLimiter, type CounterStore, type Limiter } from '../src/index.js';
import { rulesOf } from './support/fixture.js';
import { outcomeOf, STORES, type Bench } from './support/stores.js';

const NODES = 3;
const WINDOW_SECONDS = 3_600;

/** One thing that a client does, on one of the nodes. */
interface Act {
  readonly does: 'reserve' | 'settle' | 'settle twice';
  readonly node: number;
  readonly permits: number;
  /** Which open reservation is settled, as a share of them. */
  readonly which: number;
}

const acts = fc.array(
  fc.record<Act>({
    does: fc.constantFrom('reserve', 'reserve', 'settle', 'settle twice'),
    node: fc.nat({ max: NODES - 1 }),
    permits: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 400 })),
    which: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  }),
  { minLength: 5, maxLength: 40, size: 'max' },
);

const situations = fc.record({
  algorithm: fc.constantFrom(...ALGORITHMS),
  consistency: fc.constantFrom('exact' as const, 'leased' as const),
  /** Small ones are denied, fall into debt and meet their ceiling; of great ones nodes hold leases. */
  limit: fc.constantFrom(60, 300, 100_000),
});

/** All that is in use, debt included: what a limit beyond any debt does not have left. */
async function useOf(store: CounterStore, key: string, of: Quota): Promise<number> {
  const beyond = quota({ ...of, limit: 1_000_000, burst: 1_000_000 });
  const [answer] = await store.take([{ key, quota: beyond, need: 0, want: 0, backAmount: 0, backBucket: 0 }]);
  return beyond.limit - outcomeOf(answer).remaining;
}

describe.each(STORES)('R14 settlements on %s', (name, open) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  }, 60_000);
  afterAll(() => bench.store.close());

  it('sum charged = sum settled: the use is what was settled and the estimates that were not, whichever nodes did it', async () => {
    const { store, clock } = bench;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(situations, acts, async ({ algorithm, consistency, limit }, script) => {
        run += 1;
        const rules = rulesOf([{ rule_id: 'tokens', limit, window_seconds: WINDOW_SECONDS, algorithm, consistency }]);
        const caller = { key_id: `${name}-${process.pid}-${run}` };
        const nodes = Array.from({ length: NODES }, () => createLimiter({ store, rules, clock, fleetSize: NODES }));
        const at = ({ node }: Act): readonly Limiter[] => nodes.slice(node, node + 1);
        const opened: { readonly id: string; readonly estimate: number }[] = [];
        let [settled, key] = [0, ''];
        let of: Quota | undefined;
        for (const act of script) {
          if (act.does === 'reserve') {
            const estimate = act.permits + 1;
            for (const node of at(act)) {
              const { id, decision } = await node.reserve(caller, estimate);
              if (id !== undefined) opened.push({ id, estimate });
              const charge = decision.deciding?.charge;
              if (charge !== undefined) [key, of] = [charge.key, charge.quota];
            }
          } else {
            const [reservation] = opened.splice(Math.floor(act.which * opened.length), 1);
            if (reservation === undefined) continue;
            const settlers = act.does === 'settle' ? at(act) : nodes;
            const answers = await Promise.all(settlers.map((node) => node.settle(reservation.id, act.permits)));
            const [done, ...more] = answers.filter(({ status }) => status === 'settled');
            expect(more).toEqual([]);
            expect(done?.charged).toBe(reservation.estimate - (done?.returned ?? 0) + (done?.indebted ?? 0));
            settled += act.permits;
          }
        }
        await Promise.all(nodes.map((node) => node.close()));
        if (of === undefined) return;
        const stats = nodes.map((node) => node.stats());
        const forgiven = stats.reduce((sum, each) => sum + each.forgiven, 0);
        const open = opened.reduce((sum, { estimate }) => sum + estimate, 0);
        expect(stats.every(({ settlementsLost, unsettled, lost }) => settlementsLost + unsettled + lost === 0)).toBe(true);
        if (algorithm !== 'token_bucket' && algorithm !== 'leaky_bucket' && algorithm !== 'gcra') expect(forgiven).toBe(0);
        expect(await useOf(store, key, of)).toBe(settled + open - forgiven);
      }),
      { numRuns: name === 'memory' ? 150 : 40, seed: 14 },
    );
  }, 60_000);

  it('of a hundred that settle at once, half of them twice, each is settled once', async () => {
    const { store, clock } = bench;
    const rules = rulesOf([{ rule_id: 'tokens', limit: 100_000, window_seconds: WINDOW_SECONDS, algorithm: 'fixed_window', consistency: 'exact' }]);
    const caller = { key_id: `${name}-${process.pid}-race` };
    const [one, other] = [createLimiter({ store, rules, clock }), createLimiter({ store, rules, clock })];
    const reservations = await Promise.all(Array.from({ length: 100 }, () => one.reserve(caller, 10)));
    const ids = reservations.map(({ id }) => id ?? '');
    const statuses = await Promise.all(ids.flatMap((id, at) => (at % 2 === 0 ? [one.settle(id, 3), other.settle(id, 3)] : [other.settle(id, 3)])));
    expect(statuses.filter(({ status }) => status === 'settled')).toHaveLength(100);
    expect((await one.limits(caller))[0]?.remaining).toBe(100_000 - 300);
    await Promise.all([one.close(), other.close()]);
  }, 60_000);
});
