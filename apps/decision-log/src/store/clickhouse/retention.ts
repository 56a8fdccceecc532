import type { ClickHouseSession } from './clickhouse-session.js';

const DAY_MS = 86_400_000;
/** DateTime ends in 2106: with the longest retention there is, later events than this are kept as if they were of this second (2090). */
const LATEST_SECOND = 3_786_912_000;

interface TableRow {
  readonly engine: string;
  readonly engine_full: string;
}

/** Gives the table the TTL of the setting, where it has another: the server then drops days by itself, whoever runs. A table that only leads to others (Distributed) has none. */
export async function keepTtl(session: ClickHouseSession, retentionMs: number): Promise<void> {
  const interval = `toIntervalSecond(${String(Math.ceil(retentionMs / 1000))})`;
  const [table] = await session.read<TableRow>("SELECT engine, engine_full FROM system.tables WHERE database = currentDatabase() AND name = 'decisions'");
  if (table === undefined || !table.engine.endsWith('MergeTree') || table.engine_full.includes(interval)) return;
  await session.command(`ALTER TABLE decisions MODIFY TTL toDateTime(least(intDiv(at_ms, 1000), ${String(LATEST_SECOND)})) + ${interval}`);
}

/** Drops the days that are wholly past the retention: at once, where the server's TTL comes by when it has time. */
export async function dropPastDays(session: ClickHouseSession, nowMs: number, retentionMs: number): Promise<void> {
  const parts = await session.read<{ readonly day: number }>(
    "SELECT DISTINCT toInt64(partition) AS day FROM system.parts WHERE database = currentDatabase() AND table = 'decisions' AND active ORDER BY day",
  );
  for (const { day } of parts) {
    if ((day + 1) * DAY_MS <= nowMs - retentionMs) await session.command(`ALTER TABLE decisions DROP PARTITION ${String(day)}`);
  }
}
