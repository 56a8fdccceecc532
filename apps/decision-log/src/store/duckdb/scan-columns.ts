import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { DuckDBDataChunk } from '@duckdb/node-api';
import { STANDARD_ATTRIBUTES } from '@sluice/events';
import type { TextColumn, TextDictionary } from '@sluice/replay';
import type { DecisionColumns } from '../decision-columns.js';
import type { DecisionFilter } from '../decision-filter.js';
import { Dictionaries } from '../event-columns.js';
import { Bindings } from './bindings.js';
import { eventsOf, filterSql } from './filter-sql.js';
import { doublesOf, integersOf, textsOf as textsOfColumn } from './read-vector.js';
import type { Reader, ReadSession } from './reader.js';
import { slicesOf } from './slices.js';

/** Rows handed out at once, a few of DuckDB's chunks. */
const BLOCK_ROWS = 16_384;
const NUMBERS = ['at_ms', 'cost', 'sampled_share', 'allowed', 'sequence'] as const;
const PRODUCER = 'producer';
/** Up to the last colon of the id, and what follows it. */
const ID_PARTS = `left(event_id, length(event_id) - length(split_part(event_id, ':', -1)) - 1) AS ${PRODUCER}, split_part(event_id, ':', -1)::DOUBLE AS sequence`;

/**
 * The decisions of a filter as columns, the oldest first, equal times by producer and sequence. DuckDB numbers the texts of a slice itself, so that each different one comes into
 * JavaScript once a slice, and a row is a few integers.
 *
 * @param attributes names of those that are wanted
 */
export async function* scanColumns(reader: Reader, filter: DecisionFilter, attributes: ReadonlySet<string>): AsyncGenerator<DecisionColumns> {
  const standard = STANDARD_ATTRIBUTES.filter((name) => attributes.has(name));
  const fields = [...standard, ...(standard.length === attributes.size ? [] : ['more_attributes']), 'rule_id', PRODUCER];
  const dictionaries = new Dictionaries();
  for (const range of await slicesOf(reader, filter)) yield* scanSlice(reader, { ...filter, ...range }, fields, dictionaries);
}

async function* scanSlice(reader: Reader, filter: DecisionFilter, fields: readonly string[], dictionaries: Dictionaries): AsyncGenerator<DecisionColumns> {
  const session = await reader.open(filter);
  try {
    const texts: SliceTexts[] = [];
    for (const field of fields) texts.push(await textsOf(session, filter, field, dictionaries.of(field)));
    const bindings = new Bindings();
    const rows = rowsOf(session, filter, fields, bindings);
    const codes = fields.map((field) => `coalesce(${field}_texts.code, 0) AS ${field}_code`);
    const joins = fields.map((field) => `LEFT JOIN (${numbered(field)}) AS ${field}_texts ON decisions.${field} = ${field}_texts.text`);
    const sql = `WITH decisions AS MATERIALIZED (${rows}) SELECT at_ms::DOUBLE, cost::DOUBLE, sampled_share, allowed::INTEGER::DOUBLE, sequence, ${codes.join(', ')} FROM decisions ${joins.join(' ')} ORDER BY at_ms, ${PRODUCER}_code, sequence`;
    const result = await session.step(() => bindings.stream(session.connection, sql));
    let chunks: DuckDBDataChunk[] = [];
    let length = 0;
    for (;;) {
      const chunk = await session.step(() => result.fetchChunk());
      const isOver = chunk === null || chunk.rowCount === 0;
      if (!isOver) {
        chunks.push(chunk);
        length += chunk.rowCount;
      }
      if (length > 0 && (isOver || length >= BLOCK_ROWS)) {
        yield blockOf(chunks, length, texts);
        chunks = [];
        length = 0;
      }
      if (isOver) return;
    }
  } finally {
    await session.close();
  }
}

/** Texts of one field in one slice. */
interface SliceTexts {
  readonly field: string;
  readonly dictionary: TextDictionary;
  /** By the number within the slice that within the dictionary. */
  readonly codes: Int32Array;
}

/** All texts of a field, in the order in which {@link numbered} counts them: both see the same snapshot. */
async function textsOf(session: ReadSession, filter: DecisionFilter, field: string, dictionary: TextDictionary): Promise<SliceTexts> {
  const bindings = new Bindings();
  const rows = rowsOf(session, filter, [field], bindings);
  const codes: number[] = [0];
  const result = await session.step(() => bindings.stream(session.connection, `SELECT DISTINCT ${field} FROM (${rows}) WHERE ${field} IS NOT NULL ORDER BY ${field}`));
  for (;;) {
    const chunk = await session.step(() => result.fetchChunk());
    if (chunk === null || chunk.rowCount === 0) return { field, dictionary, codes: Int32Array.from(codes) };
    for (const text of textsOfColumn(chunk, 0)) codes.push(dictionary.codeOf(String(text)));
    await turnOfOthers();
  }
}

function rowsOf({ files }: ReadSession, filter: DecisionFilter, fields: readonly string[], bindings: Bindings): string {
  const kept = fields.filter((field) => field !== PRODUCER);
  return `SELECT at_ms, cost, sampled_share, allowed, ${[...kept, ID_PARTS].join(', ')} FROM ${eventsOf(files, '*', bindings)} WHERE ${filterSql(filter, bindings)}`;
}

/** From 1 on. */
function numbered(field: string): string {
  return `SELECT ${field} AS text, (row_number() OVER (ORDER BY ${field}))::INTEGER AS code FROM (SELECT DISTINCT ${field} FROM decisions WHERE ${field} IS NOT NULL)`;
}

function blockOf(chunks: readonly DuckDBDataChunk[], length: number, texts: readonly SliceTexts[]): DecisionColumns {
  const [atMs, cost, share, allowed, sequence] = NUMBERS.map((_, at) => numbersOf(chunks, length, at));
  const columns = new Map(texts.map(({ field, dictionary, codes }, at): [string, TextColumn] => [field, { dictionary, codes: codesOf(chunks, length, NUMBERS.length + at, codes) }]));
  const none = new Float64Array(length);
  return {
    length,
    atMs: atMs ?? none,
    cost: cost ?? none,
    share: share ?? none,
    allowed: Uint8Array.from(allowed ?? none),
    sequence: sequence ?? none,
    producer: columnOf(columns, PRODUCER),
    ruleId: columnOf(columns, 'rule_id'),
    moreAttributes: columns.get('more_attributes'),
    attributes: new Map([...columns].filter(([field]) => STANDARD_ATTRIBUTES.some((name) => name === field))),
  };
}

function columnOf(columns: ReadonlyMap<string, TextColumn>, field: string): TextColumn {
  const column = columns.get(field);
  if (column === undefined) throw new TypeError(`${field} was not asked for`);
  return column;
}

/** Copied: a chunk's memory is DuckDB's. */
function numbersOf(chunks: readonly DuckDBDataChunk[], length: number, column: number): Float64Array {
  const all = new Float64Array(length);
  let row = 0;
  for (const chunk of chunks) {
    all.set(doublesOf(chunk, column), row);
    row += chunk.rowCount;
  }
  return all;
}

function codesOf(chunks: readonly DuckDBDataChunk[], length: number, column: number, codes: Int32Array): Int32Array {
  const all = new Int32Array(length);
  let row = 0;
  for (const chunk of chunks) for (const code of integersOf(chunk, column)) all[row++] = codes[code] ?? 0;
  return all;
}
