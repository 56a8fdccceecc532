import duckdb, { type Vector } from '@duckdb/node-bindings';

/** Rows of one of DuckDB's vectors. */
export const CHUNK_ROWS = 2048;

/**
 * Fills vectors of a data chunk with whole columns: `read` gives the value of each of the chunk's items. The classes of @duckdb/node-api do it value by value, with a
 * call into native code for each text and BigInt arithmetic for each null, at a multiple of the time. A row is 16 bytes of a text, 8 of a number and 1 of a
 * boolean, as DuckDB's C API has them.
 */
export type Fill<Value> = <Item>(vector: Vector, items: readonly Item[], read: (item: Item) => Value) => void;

const TEXT_WORDS = 4;

// One chunk is filled at a time, and what is written here is copied before the next.
const words = new Int32Array(CHUNK_ROWS * 2);
const doubles = new Float64Array(CHUNK_ROWS);
const bytes = new Uint8Array(CHUNK_ROWS);
const valid = new Uint8Array(CHUNK_ROWS / 8);
const sameAs = new Int16Array(CHUNK_ROWS);

/** Texts of which hardly two are the same. */
export const fillDistinctTexts: Fill<string> = (vector, items, read) => {
  let row = 0;
  for (const item of items) duckdb.vector_assign_string_element(vector, row++, read(item));
};

/**
 * Texts. Each different one goes into native code once: the rows that repeat it get a copy of its 16 bytes, which hold a short text itself and point to a long one
 * that lies in the same vector.
 */
export const fillTexts: Fill<string | null> = (vector, items, read) => {
  const firstOf = new Map<string, number>();
  let nulls = 0;
  let repeats = 0;
  let row = 0;
  for (const item of items) {
    const value = read(item);
    sameAs[row] = row;
    if (value === null) {
      nulls = markNull(row, nulls);
    } else {
      const first = firstOf.get(value);
      if (first === undefined) {
        firstOf.set(value, row);
        duckdb.vector_assign_string_element(vector, row, value);
      } else {
        sameAs[row] = first;
        repeats += 1;
      }
    }
    row += 1;
  }
  if (repeats > 0) {
    const { buffer, byteOffset } = duckdb.vector_get_data(vector, row * TEXT_WORDS * 4);
    const texts = new Int32Array(buffer, byteOffset, row * TEXT_WORDS);
    for (let to = 0; to < row; to += 1) {
      const from = sameAs[to] ?? to;
      if (from !== to) for (let word = 0; word < TEXT_WORDS; word += 1) texts[to * TEXT_WORDS + word] = texts[from * TEXT_WORDS + word] ?? 0;
    }
    copy(vector, texts, row * TEXT_WORDS);
  }
  writeNulls(vector, row, nulls);
};

/** Integers up to 2^53-1 either way, as 64 bits: two words each, without a BigInt. */
export const fillIntegers: Fill<number | null> = (vector, items, read) => {
  let nulls = 0;
  let row = 0;
  for (const item of items) {
    const value = read(item);
    if (value === null) {
      nulls = markNull(row, nulls);
    } else {
      words[row * 2] = value | 0;
      words[row * 2 + 1] = Math.floor(value / 0x1_0000_0000);
    }
    row += 1;
  }
  copy(vector, words, row * 2);
  writeNulls(vector, row, nulls);
};

export const fillDoubles: Fill<number> = (vector, items, read) => {
  let row = 0;
  for (const item of items) doubles[row++] = read(item);
  copy(vector, doubles, row);
};

export const fillBooleans: Fill<boolean | null> = (vector, items, read) => {
  let nulls = 0;
  let row = 0;
  for (const item of items) {
    const value = read(item);
    if (value === null) nulls = markNull(row, nulls);
    bytes[row++] = value === true ? 1 : 0;
  }
  copy(vector, bytes, row);
  writeNulls(vector, row, nulls);
};

function copy(vector: Vector, { buffer, byteOffset, BYTES_PER_ELEMENT }: Int32Array<ArrayBufferLike> | Float64Array<ArrayBuffer> | Uint8Array, length: number): void {
  duckdb.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, byteOffset, length * BYTES_PER_ELEMENT);
}

/** A bit each row, set where there is a value. @returns how many nulls there are now */
function markNull(row: number, before: number): number {
  if (before === 0) valid.fill(0xff);
  const byte = row >> 3;
  valid[byte] = (valid[byte] ?? 0) & ~(1 << (row & 7));
  return before + 1;
}

function writeNulls(vector: Vector, rows: number, nulls: number): void {
  if (nulls === 0) return;
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, valid.buffer, 0, Math.ceil(rows / 64) * 8);
}
