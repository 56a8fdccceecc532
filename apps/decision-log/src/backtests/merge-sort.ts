import type { Steps } from '@sluice/rules';

/** Rows merged in some hundred µs. */
const ROWS_A_STEP = 2_048;

/** Sorts numbers of rows, stable: the runs that are in order already are merged, so that what is nearly in order costs little. May change what it is given. */
export function* mergeSort(rows: Int32Array, isAfter: (a: number, b: number) => boolean): Steps<Int32Array> {
  const { length } = rows;
  let starts = yield* runsOf(rows, isAfter);
  let from = rows;
  let to: Int32Array = new Int32Array(starts.length > 1 ? length : 0);
  while (starts.length > 1) {
    const merged: number[] = [];
    for (let run = 0; run < starts.length; run += 2) {
      const start = starts[run] ?? 0;
      yield* merge(from, to, start, starts[run + 1] ?? length, starts[run + 2] ?? length, isAfter);
      merged.push(start);
    }
    starts = merged;
    [from, to] = [to, from];
  }
  return from;
}

function* runsOf(rows: Int32Array, isAfter: (a: number, b: number) => boolean): Steps<number[]> {
  const starts = [0];
  for (let at = 1; at < rows.length; at += 1) {
    if (isAfter(rows[at - 1] ?? 0, rows[at] ?? 0)) starts.push(at);
    if (at % ROWS_A_STEP === 0) yield;
  }
  return starts;
}

function* merge(from: Int32Array, to: Int32Array, start: number, middle: number, end: number, isAfter: (a: number, b: number) => boolean): Steps<void> {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at += 1) {
    const isRight = left >= middle || (right < end && isAfter(from[left] ?? 0, from[right] ?? 0));
    to[at] = from[isRight ? right : left] ?? 0;
    if (isRight) right += 1;
    else left += 1;
    if (at % ROWS_A_STEP === 0) yield;
  }
}
