import { requestAt, type TextColumn } from '@sluice/replay';
import { eventOf } from '../../test/store-contract/sample-events.js';
import type { DecisionColumns } from './decision-columns.js';
import { eventColumns } from './event-columns.js';
import { joinColumns, pickRows, rowsBetween } from './join-columns.js';

const NAMES = new Set(['key_id', 'plan', 'other']);

/** With dictionaries of their own. */
async function columnsOf(keys: readonly string[]): Promise<DecisionColumns> {
  const events = keys.map((key_id, at) => eventOf({ event_id: `${key_id}:p:${at}`, at_ms: at, cost: at, allowed: at % 2 === 0, attributes: { key_id, ...(at === 1 ? { other: 'o' } : {}) } }));
  for await (const columns of eventColumns((async function* () { yield events; })(), NAMES)) return columns;
  throw new Error('there are no columns');
}

function rowsOf(columns: DecisionColumns): unknown[] {
  const textAt = ({ dictionary, codes }: TextColumn, row: number): unknown => dictionary.textOf(codes[row] ?? 0);
  return Array.from({ length: columns.length }, (_, row) => [textAt(columns.producer, row), columns.sequence[row], requestAt(columns, row)]);
}

describe('columns of decisions', () => {
  it('are joined row by row, whatever numbers their texts have', async () => {
    const first = await columnsOf(['a', 'b', 'c']);
    const second = await columnsOf(['c', 'd', 'a']);
    const joined = (...parts: readonly DecisionColumns[]): unknown[] => {
      const columns = joinColumns(parts);
      return columns === undefined ? [] : rowsOf(columns);
    };
    expect(joined(first, second)).toEqual([...rowsOf(first), ...rowsOf(second)]);
    expect(joined(first, first, second, first)).toEqual([...rowsOf(first), ...rowsOf(first), ...rowsOf(second), ...rowsOf(first)]);
    expect(joined(first)).toEqual(rowsOf(first));
    expect(joined()).toEqual([]);
  });

  it('give the rows that are asked for', async () => {
    const columns = await columnsOf(['a', 'b', 'c', 'd']);
    const rows = rowsOf(columns);
    expect(rowsOf(pickRows(columns, Int32Array.of(3, 0, 2)))).toEqual([rows[3], rows[0], rows[2]]);
    expect(rowsOf(rowsBetween(columns, 1, 3))).toEqual([rows[1], rows[2]]);
    expect(rowsOf(rowsBetween(columns, 2, 2))).toEqual([]);
  });
});
