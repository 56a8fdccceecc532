import type { DecisionColumns } from '../store/decision-columns.js';
import { joinColumns, pickRows, rowsBetween } from '../store/join-columns.js';

/** How far the clock of an event may lie behind that of an earlier one of its producer: what a node takes for the store's clock is estimated anew all the time. */
const STEP_BACK_MS = 1_000;

/**
 * Decisions in the order in which they were made: of one producer by its sequence, whatever its clock did, of several by time. Times do not step back in what comes out. Nearly all come in this order already: then
 * they are handed on as they are.
 *
 * @param chunks the oldest first
 */
export async function* inOrder(chunks: AsyncIterable<DecisionColumns>): AsyncGenerator<DecisionColumns> {
  let waiting: DecisionColumns | undefined;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    const { columns, atMs } = ordered(waiting === undefined ? chunk : joinColumns(waiting, chunk));
    const { length } = columns;
    const newestMs = chunk.atMs[chunk.length - 1] ?? 0;
    let end = length;
    // Nothing that comes can be before that; nor can it be put before what goes, whose times are below all that come.
    while (end > 0 && (atMs[end - 1] ?? 0) > newestMs - STEP_BACK_MS) end -= 1;
    if (end > 0) yield { ...rowsBetween(columns, 0, end), atMs: atMs.subarray(0, end) };
    waiting = end === length ? undefined : rowsBetween(columns, end, length);
  }
  if (waiting === undefined) return;
  const { columns, atMs } = ordered(waiting);
  yield { ...columns, atMs };
}

interface Ordered {
  readonly columns: DecisionColumns;
  /** The time of each row, or that of an earlier one of its producer where that is later. Never steps back. */
  readonly atMs: Float64Array;
}

function ordered(columns: DecisionColumns): Ordered {
  if (isOrdered(columns)) return { columns, atMs: columns.atMs };
  const { atMs, producer, sequence, length } = columns;
  const names = Array.from(producer.codes, (code) => producer.dictionary.textOf(code) ?? '');
  const bySequence = Int32Array.from({ length }, (_, row) => row).sort((a, b) => compareText(names[a] ?? '', names[b] ?? '') || (sequence[a] ?? 0) - (sequence[b] ?? 0));
  const times = new Float64Array(length);
  let name: string | undefined;
  let latestMs = -Infinity;
  for (const row of bySequence) {
    if (names[row] !== name) {
      name = names[row];
      latestMs = -Infinity;
    }
    const ownMs = atMs[row] ?? 0;
    // A clock that was far ahead for a moment holds nothing back.
    latestMs = latestMs - ownMs > STEP_BACK_MS ? ownMs : Math.max(latestMs, ownMs);
    times[row] = latestMs;
  }
  // Stable: equal times stay by producer and sequence.
  const rows = bySequence.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  return { columns: pickRows(columns, rows), atMs: Float64Array.from(rows, (row) => times[row] ?? 0) };
}

/** Whether they are by time, producer and sequence, and no producer's sequence steps back. */
function isOrdered({ atMs, producer: { codes, dictionary }, sequence, length }: DecisionColumns): boolean {
  const highest = new Float64Array(dictionary.size + 1);
  for (let row = 0; row < length; row += 1) {
    const code = codes[row] ?? 0;
    const number = sequence[row] ?? 0;
    if (number < (highest[code] ?? 0)) return false;
    highest[code] = number;
    if (row === 0) continue;
    const aheadMs = (atMs[row] ?? 0) - (atMs[row - 1] ?? 0);
    if (aheadMs < 0) return false;
    const before = codes[row - 1] ?? 0;
    if (aheadMs === 0 && code !== before && compareText(dictionary.textOf(before) ?? '', dictionary.textOf(code) ?? '') > 0) return false;
  }
  return true;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
