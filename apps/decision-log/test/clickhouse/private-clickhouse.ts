import type { DecisionEvent } from '@sluice/events';
import { type ClickHouseServer, startClickHouse } from '@sluice/testkit';
import type { DecisionFilter } from '../../src/store/decision-filter.js';
import type { DecisionStore, ReceivedEvent } from '../../src/store/decision-store.js';
import { eventOf } from '../store-contract/sample-events.js';

/** A server of the test's own, to be broken. */
export async function privateClickHouse(...options: Parameters<typeof startClickHouse>): Promise<ClickHouseServer> {
  const server = await startClickHouse(...options);
  if ('missing' in server) throw new Error(server.missing);
  return server;
}

/** A statement at the server itself, past the store: what the table holds. */
export async function ask<Row>(server: ClickHouseServer, database: string, query: string): Promise<Row[]> {
  const answer = await fetch(`http://127.0.0.1:${String(server.port)}/?database=${database}&default_format=JSONEachRow&output_format_json_quote_64bit_integers=0`, { method: 'POST', body: query });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
}

/** One producer's events in their order, a ms apart. */
export function log(producer: string, count: number, fromMs: number): ReceivedEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    partition: 0,
    event: eventOf({ event_id: `${producer}:${String(index)}`, at_ms: fromMs + index, attributes: { key_id: `k${String(index % 7)}`, tenant_id: 't1' } }),
  }));
}

/** The ids that a scan gives, in its order. */
export async function scanned(store: DecisionStore, filter: DecisionFilter): Promise<string[]> {
  const ids: string[] = [];
  for await (const events of store.scan(filter)) ids.push(...events.map(({ event_id }: DecisionEvent) => event_id));
  return ids;
}
