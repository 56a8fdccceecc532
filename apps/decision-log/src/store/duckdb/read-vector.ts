import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

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

function dataOf(chunk: DuckDBDataChunk, column: number, bytes: number): Uint8Array {
  return duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, column), chunk.rowCount * bytes);
}
