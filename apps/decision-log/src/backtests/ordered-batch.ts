import type { Steps } from '@sluice/rules';
import type { DecisionColumns } from '../store/decision-columns.js';
import { joinColumns } from '../store/join-columns.js';
import { Batch } from './batch.js';
import { isOrdered } from './is-ordered.js';
import { mergeSort } from './merge-sort.js';
import { rowsByProducer } from './rows-by-producer.js';
import { STEP_BACK_MS } from './step-back.js';

const ROWS_A_STEP = 2_048;

/**
 * Decisions by the time of each, or that of an earlier one of its producer where that is later by a second at most; never before what has gone out.
 *
 * @param parts as they came
 * @param reachedMs time of what has gone out last
 */
export function* orderedBatch(parts: readonly DecisionColumns[], reachedMs: number): Steps<Batch> {
  const columns = joinColumns(parts);
  if (columns === undefined) return new Batch(undefined, undefined, new Float64Array(0));
  yield;
  if ((columns.atMs[0] ?? 0) >= reachedMs && (yield* isOrdered(columns))) return new Batch(columns, undefined, columns.atMs);
  const { atMs, sequence, length } = columns;
  const { places, rows: byProducer } = yield* rowsByProducer(columns);
  const placeOf = (row: number): number => places[row] ?? 0;
  const bySequence = yield* mergeSort(byProducer, (a, b) => placeOf(a) > placeOf(b) || (placeOf(a) === placeOf(b) && (sequence[a] ?? 0) > (sequence[b] ?? 0)));
  const times = new Float64Array(length);
  let place: number | undefined;
  let latestMs = -Infinity;
  for (let at = 0; at < length; at += 1) {
    const row = bySequence[at] ?? 0;
    if (placeOf(row) !== place) {
      place = placeOf(row);
      latestMs = -Infinity;
    }
    const ownMs = atMs[row] ?? 0;
    // A clock that was far ahead for a moment holds nothing back.
    latestMs = latestMs - ownMs > STEP_BACK_MS ? ownMs : Math.max(latestMs, ownMs);
    times[row] = Math.max(latestMs, reachedMs);
    if (at % ROWS_A_STEP === 0) yield;
  }
  // Stable: equal times stay by producer and sequence.
  const rows = yield* mergeSort(bySequence, (a, b) => (times[a] ?? 0) > (times[b] ?? 0));
  const inOrder = new Float64Array(length);
  for (let at = 0; at < length; at += 1) {
    inOrder[at] = times[rows[at] ?? 0] ?? 0;
    if (at % ROWS_A_STEP === 0) yield;
  }
  return new Batch(columns, rows, inOrder);
}
