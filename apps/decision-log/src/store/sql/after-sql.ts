import type { AggregateRow } from '../aggregate.js';
import type { SqlBindings } from './sql-bindings.js';

/** The condition for rows that come after one in the order by `bucket_ms` and these columns, null last. */
export function afterSql(groups: readonly string[], { bucketMs, group }: Pick<AggregateRow, 'bucketMs' | 'group'>, bindings: SqlBindings): string {
  const keys: readonly (readonly [column: string, value: string | null])[] = [
    ...(bucketMs === undefined ? [] : [['bucket_ms', bindings.integer(bucketMs)] as const]),
    ...groups.map((column, index) => [column, group[index] == null ? null : bindings.text(group[index])] as const),
  ];
  return keys.reduceRight((later, [column, value]) => {
    if (value === null) return `(${column} IS NULL AND ${later})`;
    return `(${column} > ${value} OR ${column} IS NULL OR (${column} = ${value} AND ${later}))`;
  }, 'false');
}
