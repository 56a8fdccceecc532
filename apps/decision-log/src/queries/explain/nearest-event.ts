import type { DecisionEvent } from '@sluice/events';
import type { DecisionFilter } from '../../store/decision-filter.js';
import type { DecisionStore } from '../../store/decision-store.js';

/**
 * The event of a filter that is nearest to `atMs`; of two that are equally near the earlier one. Reads the newest up to then, and then only what comes after it in
 * less time.
 *
 * @param filter its range is how far is looked
 */
export async function nearestEvent(store: Pick<DecisionStore, 'find' | 'scan'>, filter: DecisionFilter, atMs: number): Promise<DecisionEvent | undefined> {
  const [before] = filter.fromMs <= atMs ? await store.find({ ...filter, toMs: Math.min(filter.toMs, atMs + 1) }, 1) : [];
  const toMs = before === undefined ? filter.toMs : Math.min(filter.toMs, 2 * atMs - before.at_ms);
  const after = await oldest(store, { ...filter, fromMs: Math.max(filter.fromMs, atMs + 1), toMs });
  return after ?? before;
}

async function oldest(store: Pick<DecisionStore, 'scan'>, filter: DecisionFilter): Promise<DecisionEvent | undefined> {
  if (filter.fromMs >= filter.toMs) return undefined;
  for await (const [first] of store.scan(filter)) if (first !== undefined) return first;
  return undefined;
}
