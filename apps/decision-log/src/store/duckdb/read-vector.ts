import { type DuckDBDataChunk, type DuckDBType, DuckDBTypeId, type DuckDBValue } from '@duckdb/node-api';
import duckdb, { type Vector } from '@duckdb/node-bindings';

/**
 * Reads whole columns of chunks, none of whose values is null: 8 bytes of a double and 4 of an integer, as DuckDB's C API has them. What comes back lies in DuckDB's memory and is good as long as the
 * chunk is.
 */
export function doublesOf(chunk: DuckDBDataChunk, column: number): Float64Array {
  const { buffer, byteOffset } = dataOf(chunk, column, Float64Array.BYTES_PER_ELEMENT);
  return new Float64Array(buffer, byteOffset, chunk.rowCount);
}

export function integersOf(chunk: DuckDBDataChunk, column: number): Int32Array {
  const { buffer, byteOffset } = dataOf(chunk, column, Int32Array.BYTES_PER_ELEMENT);
  return new Int32Array(buffer, byteOffset, chunk.rowCount);
}

/**
 * The values of a column of texts, or of any other type. Texts are read here: the classes of @duckdb/node-api leave out a U+FEFF that a text begins with, so that it would be another one.
 */
export function valuesOf(chunk: DuckDBDataChunk, column: number, type: DuckDBType): readonly DuckDBValue[] {
  return type.typeId === DuckDBTypeId.VARCHAR ? textsOf(chunk, column) : chunk.getColumnValues(column);
}

/** Bytes of a text in its vector: 4 of its length, then the text itself, or where it is longer 4 of its beginning and 8 of a pointer to it. */
const TEXT_BYTES = 16;
const SHORT_BYTES = 12;

export function textsOf(chunk: DuckDBDataChunk, column: number): (string | null)[] {
  const { rowCount } = chunk;
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
  const { buffer, byteOffset, byteLength } = duckdb.vector_get_data(vector, rowCount * TEXT_BYTES);
  const data = Buffer.from(buffer, byteOffset, byteLength);
  const isNull = nullsOf(vector, rowCount);
  const texts: (string | null)[] = [];
  for (let row = 0; row < rowCount; row += 1) texts.push(isNull(row) ? null : textAt(data, row * TEXT_BYTES));
  return texts;
}

function textAt(data: Buffer<ArrayBufferLike>, at: number): string {
  const length = data.readUInt32LE(at);
  if (length <= SHORT_BYTES) return data.toString('utf8', at + 4, at + 4 + length);
  const { buffer, byteOffset } = duckdb.get_data_from_pointer(data.buffer as ArrayBuffer, data.byteOffset + at + 8, length);
  return Buffer.from(buffer, byteOffset, length).toString('utf8');
}

/** A bit each row, set where there is a value; no bits at all where none is null. */
function nullsOf(vector: Vector, rowCount: number): (row: number) => boolean {
  const validity: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rowCount / 64) * 8);
  return validity === null ? () => false : (row) => ((validity[row >> 3] ?? 0) & (1 << (row & 7))) === 0;
}

function dataOf(chunk: DuckDBDataChunk, column: number, bytes: number): Uint8Array {
  return duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, column), chunk.rowCount * bytes);
}
