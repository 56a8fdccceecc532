/** As large as a sum may get, in SQL. Each count is bounded, but nodes and their names are not: a sum beyond what JSON and bigint take must fail neither the sweeper nor a report. */
export const MOST = String(Number.MAX_SAFE_INTEGER);

/** The sum of a column in SQL, up to {@link MOST}. */
export function cappedSum(column: 'allowed' | 'denied' | 'unknown'): string {
  return `least(${MOST}, sum(${column}))`;
}
