import type { Steps } from '@sluice/rules';
import type { DecisionColumns } from '../store/decision-columns.js';
import { compareText } from './compare-text.js';

const ROWS_A_STEP = 2_048;

/** The place of each row's producer among the names, and the rows by that, as they come within. */
export function* rowsByProducer({ producer: { codes, dictionary }, length }: DecisionColumns): Steps<{ readonly places: Int32Array; readonly rows: Int32Array }> {
  const counts = new Map<number, number>();
  for (let row = 0; row < length; row += 1) {
    const code = codes[row] ?? 0;
    counts.set(code, (counts.get(code) ?? 0) + 1);
    if (row % ROWS_A_STEP === 0) yield;
  }
  const named = [...counts].map(([code, count]) => ({ code, count, name: dictionary.textOf(code) ?? '' })).sort((a, b) => compareText(a.name, b.name));
  const placeOf = new Map(named.map(({ code }, place) => [code, place]));
  const next = new Int32Array(named.length);
  for (let place = 1; place < named.length; place += 1) next[place] = (next[place - 1] ?? 0) + (named[place - 1]?.count ?? 0);
  const places = new Int32Array(length);
  const rows = new Int32Array(length);
  for (let row = 0; row < length; row += 1) {
    const place = placeOf.get(codes[row] ?? 0) ?? 0;
    places[row] = place;
    rows[next[place] ?? 0] = row;
    next[place] = (next[place] ?? 0) + 1;
    if (row % ROWS_A_STEP === 0) yield;
  }
  return { places, rows };
}
