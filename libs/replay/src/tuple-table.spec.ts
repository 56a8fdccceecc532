import { TupleTable } from './tuple-table.js';

describe('numbers for tuples', () => {
  it('are the same for the same four integers and others for others, however many there are', () => {
    const table = new TupleTable();
    const tuples = Array.from({ length: 20_000 }, (_, at): [number, number, number, number] => [at % 7, at % 20, Math.floor(at / 3), at % 2]);
    const numbers = tuples.map((tuple) => table.find(...tuple));
    const distinct = new Set(tuples.map(String)).size;
    expect(table.size).toBe(distinct);
    expect(new Set(numbers).size).toBe(distinct);
    expect(tuples.map((tuple) => table.find(...tuple))).toEqual(numbers);
    expect(table.size).toBe(distinct);
  });
});
