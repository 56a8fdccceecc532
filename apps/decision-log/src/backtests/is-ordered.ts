import type { Steps } from '@sluice/rules';
import type { DecisionColumns } from '../store/decision-columns.js';
import { compareText } from './compare-text.js';

const ROWS_A_STEP = 2_048;

/** Whether they are by time, producer and sequence, and no producer's sequence steps back. */
export function* isOrdered({ atMs, producer: { codes, dictionary }, sequence, length }: DecisionColumns): Steps<boolean> {
  const highest = new Float64Array(dictionary.size + 1);
  for (let row = 0; row < length; row += 1) {
    if (row % ROWS_A_STEP === 0) yield;
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
