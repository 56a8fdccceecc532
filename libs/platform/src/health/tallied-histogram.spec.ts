import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { TalliedHistogram } from './tallied-histogram.js';

const OPTIONS = { name: 'h', help: 'About it.', buckets: [0.1, 1, 10] };
const LABELS = [{ route: '/a', status: '200' }, { route: '/b "x"\n', status: '503' }];

describe('R93 a histogram that is counted by hand', () => {
  it('reads as that of prom-client does, as text and as JSON', async () => {
    const value = fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(...OPTIONS.buckets));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(0, 1), value), { minLength: 1 }), async (observed) => {
        const [ours, theirs] = [new Registry(), new Registry()];
        for (const registry of [ours, theirs]) registry.setDefaultLabels({ app: 'test' });
        const histogram = new TalliedHistogram({ ...OPTIONS, labelNames: ['route', 'status'], registers: [ours] });
        const reference = new Histogram({ ...OPTIONS, labelNames: ['route', 'status'], registers: [theirs] });
        // A series is there from its first value on, in both.
        const tallies = new Map<number, ReturnType<TalliedHistogram['tally']>>();
        for (const [which, seconds] of observed) {
          const tally = tallies.get(which) ?? histogram.tally(LABELS[which]);
          tallies.set(which, tally);
          tally.observe(seconds);
          reference.observe(LABELS[which] ?? {}, seconds);
        }
        expect(await ours.metrics()).toBe(await theirs.metrics());
        const values = async (registry: Registry): Promise<unknown> => (await registry.getMetricsAsJSON()).map((metric) => metric.values.map(({ labels, value: is }) => ({ labels, is })));
        expect(await values(ours)).toEqual(await values(theirs));
      }),
      { seed: 93, numRuns: 100 },
    );
  });

  it('without labels it is there before the first value, as 0', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    new TalliedHistogram({ ...OPTIONS, registers: [ours] }).tally();
    new Histogram({ ...OPTIONS, registers: [theirs] });
    expect(await ours.metrics()).toBe(await theirs.metrics());
  });
});
