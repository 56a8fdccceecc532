import type { TextColumn } from '@sluice/replay';
import type { DecisionColumns } from './decision-columns.js';

/** The rows of all, one after the other; the texts of those before the last are numbered anew where a scan has gone on with other dictionaries. Undefined of nothing. */
export function joinColumns(parts: readonly DecisionColumns[]): DecisionColumns | undefined {
  const last = parts.at(-1);
  if (last === undefined || parts.length === 1) return last;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const joined = <All extends Float64Array | Uint8Array>(all: All, read: (columns: DecisionColumns) => All): All => {
    let at = 0;
    for (const part of parts) {
      all.set(read(part), at);
      at += part.length;
    }
    return all;
  };
  return mapColumns(last, {
    length,
    numbers: (read) => joined(new Float64Array(length), read),
    flags: (read) => joined(new Uint8Array(length), read),
    texts: (read) => joinTexts(parts.map(read), read(last), length),
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

function joinTexts(columns: readonly (TextColumn | undefined)[], last: TextColumn | undefined, length: number): TextColumn | undefined {
  if (last === undefined) return undefined;
  const { dictionary } = last;
  const codes = new Int32Array(length);
  let at = 0;
  for (const column of columns) {
    if (column === undefined) continue;
    if (column.dictionary === dictionary) codes.set(column.codes, at);
    else for (let row = 0; row < column.codes.length; row += 1) codes[at + row] = dictionary.codeOf(column.dictionary.textOf(column.codes[row] ?? 0));
    at += column.codes.length;
  }
  return { dictionary, codes };
}

function withCodes(column: TextColumn | undefined, change: (codes: Int32Array) => Int32Array): TextColumn | undefined {
  return column === undefined ? undefined : { dictionary: column.dictionary, codes: change(column.codes) };
}
