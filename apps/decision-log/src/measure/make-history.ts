import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Bindings } from '../store/duckdb/bindings.js';
import { PARTS_FOLDER } from '../store/duckdb/database.js';
import { HOUR_MS } from '../store/duckdb/hours.js';
import { type Part, partFile } from '../store/duckdb/parts.js';
import { newPart, writePart } from '../store/duckdb/write-part.js';

export const KEYS = 100_003;

/** An hour of a history, and how its part is cut. */
export interface MadeHour extends Part {
  readonly rowGroups: number;
  /** Row groups that may hold one key by their statistics, on the mean over some keys. */
  readonly rowGroupsOfAKey: number;
}

/** Writes hours of made-up events by the store's own way of writing parts; a new store takes them in when it is opened. */
export async function makeHistory(dir: string, firstHourMs: number, rowsOfHours: readonly number[]): Promise<MadeHour[]> {
  await mkdir(join(dir, PARTS_FOLDER), { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GB', threads: '2', temp_directory: join(dir, 'tmp'), preserve_insertion_order: 'false' });
  const connection = await instance.connect();
  const hours: MadeHour[] = [];
  for (const [index, rows] of rowsOfHours.entries()) {
    const hourMs = firstHourMs + index * HOUR_MS;
    const bindings = new Bindings();
    const part = await writePart(connection, dir, newPart(hourMs), madeEvents(bindings, hourMs, rows), bindings);
    const groups = new Bindings();
    const result = await groups.run(
      connection,
      `SELECT count(DISTINCT row_group_id), avg(hits) FROM (SELECT row_group_id, (SELECT count(*) FROM range(20) AS keys(k) WHERE ${keyText('k * 5003')} BETWEEN stats_min_value AND stats_max_value) / 20 AS hits
       FROM parquet_metadata(${groups.text(partFile(dir, part))}) WHERE path_in_schema = 'key_id')`,
    );
    const [rowGroups, hits] = (await result.getRows())[0] ?? [];
    hours.push({ ...part, rowGroups: Number(rowGroups), rowGroupsOfAKey: Number(hits) * Number(rowGroups) });
  }
  connection.closeSync();
  instance.closeSync();
  return hours;
}

export function keyName(key: number): string {
  return `key_${String(key).padStart(6, '0')}`;
}

function keyText(number: string): string {
  return `'key_' || lpad((${number})::VARCHAR, 6, '0')`;
}

function madeEvents(bindings: Bindings, hourMs: number, rows: number): string {
  const hour = bindings.integer(hourMs);
  const total = bindings.integer(rows);
  return `(SELECT 1::BIGINT AS schema_version, 'made' || (n % 50)::VARCHAR || ':' || (${hour} / 1000 + n)::BIGINT::VARCHAR AS event_id, 'decision' AS kind,
    ${hour} + (n * ${bindings.integer(HOUR_MS)} // ${total}) AS at_ms, 'region-' || (n % 3)::VARCHAR AS region, 'node-' || (n % 50)::VARCHAR AS node_id, 'gateway' AS app,
    1234::BIGINT AS snapshot_version, CASE WHEN n % 4 = 0 THEN 0.01 ELSE 1 END::DOUBLE AS sampled_share, n % 4 = 0 AS allowed,
    CASE WHEN n % 4 = 0 THEN 'ok' ELSE 'quota' END AS reason, 'local' AS source, 1::BIGINT AS cost, CASE WHEN n % 4 = 0 THEN NULL ELSE 1200 END::BIGINT AS retry_after_ms,
    'api' AS domain, 'pro' AS plan, 'GET /v1/items/' || (n % 40)::VARCHAR AS endpoint, ${keyText(`(n * 7919) % ${String(KEYS)}`)} AS key_id,
    'tenant_' || (((n * 7919) % ${String(KEYS)}) % 997)::VARCHAR AS tenant_id, NULL::VARCHAR AS user_id, '203.0.113.' || (n % 256)::VARCHAR AS ip, NULL::VARCHAR AS more_attributes,
    'default' AS policy, 'rule-' || (n % 50)::VARCHAR AS rule_id, 12::BIGINT AS rule_version, NULL::VARCHAR AS override_id, n % 4 = 0 AS limit_allowed, 1000::BIGINT AS limit_permits,
    60000::BIGINT AS window_ms, (hash(n) % 1000)::BIGINT AS remaining, (hash(n + 1) % 60000)::BIGINT AS reset_ms, CASE WHEN n % 4 = 0 THEN 0 ELSE 1200 END::BIGINT AS retry_ms,
    'local' AS limit_source, CASE WHEN n % 4 = 0 THEN 'ok' ELSE 'quota' END AS limit_reason, NULL::VARCHAR AS more_limits FROM range(${total}) AS numbers(n))`;
}
