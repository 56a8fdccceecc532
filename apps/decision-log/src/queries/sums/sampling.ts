import type { AggregateRow } from '../../store/aggregate.js';
import type { DecisionFilter } from '../../store/decision-filter.js';
import type { DecisionStore } from '../../store/decision-store.js';

/** Whether only a part of what passed is recorded; null where nothing of it is, so that nobody can tell. */
export type Sampled = boolean | null;

/**
 * What is known of the sampling behind rows. A row without a sampled event says nothing by itself: at a share of 1 % a key can pass dozens of times and
 * none is drawn. So all that passed in the same time counts, of whatever key and rule; it is asked for only where a row leaves it open.
 *
 * @param seen the range, narrowed to what the caller may see and to nothing else
 */
export async function sampledIn(store: Pick<DecisionStore, 'aggregate'>, seen: DecisionFilter, rows: readonly Pick<AggregateRow, 'variance'>[]): Promise<Sampled> {
  if (rows.every(({ variance }) => variance > 0)) return true;
  const [passed] = await store.aggregate({ filter: { ...seen, kinds: ['decision'], allowed: true }, groupBy: [], limit: 1 });
  return passed === undefined ? null : passed.variance > 0;
}

/** The standard error of a sum: 0 where it is exact, null where nothing was drawn by which it could be told. */
export function standardError(variance: number, sampled: Sampled): number | null {
  return variance > 0 ? Math.sqrt(variance) : sampled === false ? 0 : null;
}
