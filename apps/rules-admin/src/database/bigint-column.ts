import type { ColumnType } from 'typeorm';

/** A `bigint` column that is a number in TypeScript. pg hands bigints over as text; ours stay below 2^53. */
export const BIGINT = {
  type: 'bigint' satisfies ColumnType,
  transformer: { to: (value: number | null) => value, from: (value: string | null) => (value === null ? null : Number(value)) },
} as const;
