import type { DecisionEvent } from '@sluice/events';
import fc from 'fast-check';
import type { DecisionFilter } from '../../store/decision-filter.js';
import { nearestEvent } from './nearest-event.js';

/** As much of an event as the search looks at. */
function eventAt(atMs: number, at: number): DecisionEvent {
  return {
    schema_version: 1, event_id: `p:${at}`, kind: 'decision', at_ms: atMs, region: 'eu', node_id: 'n', app: 'gateway', snapshot_version: 1, sampled_share: 1,
    allowed: false, reason: 'quota', source: 'store', cost: 1, retry_after_ms: null, attributes: {}, limits: [],
  };
}

/** The order that a store promises, over a list; it counts what it hands out. */
function listStore(events: readonly DecisionEvent[]): { readonly store: Parameters<typeof nearestEvent>[0]; readonly read: () => number } {
  let read = 0;
  const within = ({ fromMs, toMs }: DecisionFilter): DecisionEvent[] => events.filter(({ at_ms: atMs }) => atMs >= fromMs && atMs < toMs);
  return {
    read: () => read,
    store: {
      find: (filter, limit) => {
        const found = within(filter).sort((a, b) => b.at_ms - a.at_ms).slice(0, limit);
        read += found.length;
        return Promise.resolve(found);
      },
      async *scan(filter) {
        for (const event of within(filter).sort((a, b) => a.at_ms - b.at_ms)) {
          read += 1;
          yield await Promise.resolve([event]);
        }
      },
    },
  };
}

describe('R82 the event nearest to a time', () => {
  it('is the one with the least distance within the window, of two the earlier; two events are read at most', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 120 }), async (atMss, atMs, windowMs) => {
        const { store, read } = listStore(atMss.map(eventAt));
        const found = await nearestEvent(store, { fromMs: Math.max(0, atMs - windowMs), toMs: atMs + windowMs + 1 }, atMs);
        const distances = atMss.filter((each) => Math.abs(each - atMs) <= windowMs).sort((a, b) => Math.abs(a - atMs) - Math.abs(b - atMs) || a - b);
        expect(found?.at_ms).toBe(distances[0]);
        expect(read()).toBeLessThanOrEqual(2);
      }),
      { seed: 82, numRuns: 500 },
    );
  });
});
