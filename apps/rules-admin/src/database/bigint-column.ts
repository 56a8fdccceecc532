import type { ColumnOptions } from 'typeorm';

/** A `bigint` column that is a number in TypeScript. pg hands bigints over as text; ours stay below 2^53. */
export const BIGINT: ColumnOptions = {
  type: 'bigint',
  transformer: { to: (value: number) => value, from: (value: string) => Number(value) },
};
