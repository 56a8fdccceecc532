import type { TextColumn } from '@sluice/replay';
import type { DecisionColumns } from './decision-columns.js';

/** The rows of one and then those of the other; the texts of the first are numbered anew where a scan has gone on with other dictionaries. */
export function joinColumns(first: DecisionColumns, second: DecisionColumns): DecisionColumns {
  const { length } = second;
  return mapColumns(second, {
    length: first.length + length,
    numbers: (read) => {
      const all = new Float64Array(first.length + length);
      all.set(read(first));
      all.set(read(second), first.length);
      return all;
    },
    flags: (read) => {
      const all = new Uint8Array(first.length + length);
      all.set(read(first));
      all.set(read(second), first.length);
      return all;
    },
    texts: (read) => joinTexts(read(first), read(second), first.length, length),
  });
}

/** Some rows, copied, by their numbers in the order in which they are wanted. */
export function pickRows(columns: DecisionColumns, rows: Int32Array): DecisionColumns {
  const picked = <All extends Float64Array | Uint8Array | Int32Array>(from: All, to: All): All => {
    for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] ?? 0] ?? 0;
    return to;
  };
  return mapColumns(columns, {
    length: rows.length,
    numbers: (read) => picked(read(columns), new Float64Array(rows.length)),
    flags: (read) => picked(read(columns), new Uint8Array(rows.length)),
    texts: (read) => withCodes(read(columns), (codes) => picked(codes, new Int32Array(rows.length))),
  });
}

/** From a row to before another one, without a copy. */
export function rowsBetween(columns: DecisionColumns, from: number, to: number): DecisionColumns {
  return mapColumns(columns, {
    length: to - from,
    numbers: (read) => read(columns).subarray(from, to),
    flags: (read) => read(columns).subarray(from, to),
    texts: (read) => withCodes(read(columns), (codes) => codes.subarray(from, to)),
  });
}

interface Mapping {
  readonly length: number;
  readonly numbers: (read: (columns: DecisionColumns) => Float64Array) => Float64Array;
  readonly flags: (read: (columns: DecisionColumns) => Uint8Array) => Uint8Array;
  readonly texts: (read: (columns: DecisionColumns) => TextColumn | undefined) => TextColumn | undefined;
}

function mapColumns(like: DecisionColumns, { length, numbers, flags, texts }: Mapping): DecisionColumns {
  return {
    length,
    atMs: numbers(({ atMs }) => atMs),
    cost: numbers(({ cost }) => cost),
    share: numbers(({ share }) => share),
    sequence: numbers(({ sequence }) => sequence),
    allowed: flags(({ allowed }) => allowed),
    attributes: new Map([...like.attributes].map(([name, column]) => [name, texts(({ attributes }) => attributes.get(name)) ?? column])),
    moreAttributes: texts(({ moreAttributes }) => moreAttributes),
    ruleId: texts(({ ruleId }) => ruleId) ?? like.ruleId,
    producer: texts(({ producer }) => producer) ?? like.producer,
  };
}

function joinTexts(first: TextColumn | undefined, second: TextColumn | undefined, before: number, length: number): TextColumn | undefined {
  if (first === undefined || second === undefined) return second;
  const codes = new Int32Array(before + length);
  const { dictionary } = second;
  if (first.dictionary === dictionary) codes.set(first.codes);
  else for (let row = 0; row < before; row += 1) codes[row] = dictionary.codeOf(first.dictionary.textOf(first.codes[row] ?? 0));
  codes.set(second.codes, before);
  return { dictionary, codes };
}

function withCodes(column: TextColumn | undefined, change: (codes: Int32Array) => Int32Array): TextColumn | undefined {
  return column === undefined ? undefined : { dictionary: column.dictionary, codes: change(column.codes) };
}
