import { Writable } from 'node:stream';
import { createLogger, StartError } from '@sluice/platform';
import type { ClickHouseServer } from '@sluice/testkit';
import { Bindings } from '../../src/store/clickhouse/bindings.js';
import { ClickHouseSession } from '../../src/store/clickhouse/clickhouse-session.js';
import { clickHouseSettings } from '../../src/store/clickhouse/clickhouse-store-options.js';
import { conditionSql } from '../../src/store/clickhouse/condition-sql.js';
import { openClickHouseStore } from '../../src/store/clickhouse/open-clickhouse-store.js';
import { QueryTooLarge, StoreUnavailable } from '../../src/store/store-faults.js';
import { eventOf } from '../store-contract/sample-events.js';
import { ifClickHouse } from './if-clickhouse.js';
import { ask, log, privateClickHouse } from './private-clickhouse.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVER = { fromMs: 0, toMs: 10_000_000_000_000 };

ifClickHouse('R81 a ClickHouse that is there, away, or not ours', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await privateClickHouse();
  }, 300_000);
  afterAll(() => server.stop());

  const options = (database: string, retentionMs = 30 * DAY_MS) => ({ url: `${server.url}/${database}`, retentionMs });

  it('makes database and tables once, however many replicas start at the same time', async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => openClickHouseStore(options('we%60ird%5C%22name'))));
    await Promise.all(stores.map((store, index) => store.write(log(`p${String(index)}`, 100, Date.now() - 1_000))));
    expect(await stores[0]?.aggregate({ filter: EVER, groupBy: [], limit: 1 })).toMatchObject([{ events: 500 }]);
    expect(await ask(server, 'we%60ird%5C%22name', 'SELECT DISTINCT version FROM decision_log_migrations')).toEqual([{ version: 1 }]);
    await Promise.all(stores.map((store) => store.close()));
    const again = await openClickHouseStore(options('we%60ird%5C%22name'));
    expect(await again.status()).toMatchObject({ events: 500 });
    await again.close();
  });

  it('starts while the server is away, says so, and works when it is there', async () => {
    const said: string[] = [];
    const logger = createLogger({ app: 'test', level: 'warn', destination: new Writable({ write: (line: Buffer, _, done) => (said.push(line.toString()), done()) }) });
    await server.kill();
    const store = await openClickHouseStore({ ...options('late'), logger });
    expect(said.join('')).toMatch(/ClickHouse is away: decisions wait in Kafka/);
    await expect(store.write(log('p', 1, Date.now()))).rejects.toThrow(StoreUnavailable);
    await expect(store.find(EVER, 1)).rejects.toThrow(/cannot be reached/);
    await expect(store.status()).rejects.toThrow(StoreUnavailable);
    await server.restart();
    expect(await store.write(log('p', 10, Date.now()))).toEqual({ stored: 10, repeated: 0 });
    await store.close();
  });

  it('makes the tables anew when somebody took them away', async () => {
    const store = await openClickHouseStore(options('gone'));
    await store.write(log('p', 10, Date.now()));
    await ask(server, 'default', 'DROP DATABASE gone');
    await expect(store.write(log('q', 10, Date.now()))).rejects.toThrow(StoreUnavailable);
    expect(await store.write([...log('q', 10, Date.now()), ...log('p', 5, Date.now())])).toEqual({ stored: 15, repeated: 0 });
    await store.close();
  });

  it('lets the server drop days past the retention by itself, and changes that with the setting', async () => {
    const day = Math.floor(Date.now() / DAY_MS);
    const events = [9, 4, 0].map((age) => ({ partition: 0, event: eventOf({ event_id: `p:${String(9 - age)}`, at_ms: (day - age) * DAY_MS }) }));
    const ids = async (): Promise<string[]> => {
      await ask(server, 'ttl', 'OPTIMIZE TABLE decisions FINAL');
      return (await ask<{ event_id: string }>(server, 'ttl', 'SELECT event_id FROM decisions ORDER BY at_ms')).map(({ event_id }) => event_id);
    };
    const long = await openClickHouseStore(options('ttl', 7 * DAY_MS));
    await long.write(events);
    expect(await ids()).toEqual(['p:5', 'p:9']);
    await long.close();
    const short = await openClickHouseStore(options('ttl', 3 * DAY_MS));
    expect(await ids()).toEqual(['p:9']);
    await short.close();
  });

  it('gives a query up that takes too long, too much memory or too many rows, and answers the next', async () => {
    const session = new ClickHouseSession(clickHouseSettings({ ...options('default'), queryTimeoutMs: 1_000 }));
    await expect(session.read('SELECT sleep(3)')).rejects.toThrow(QueryTooLarge);
    await expect(session.read('SELECT groupArray(number) FROM numbers(10000000) SETTINGS max_memory_usage = 10000000')).rejects.toThrow(/takes more memory.*ask for a shorter time range/);
    await expect(session.read('SELECT count() FROM numbers(1000000) SETTINGS max_rows_to_read = 10')).rejects.toThrow(QueryTooLarge);
    await expect(session.read("SELECT 'secret of a key' FROM nowhere")).rejects.toThrow(/^ClickHouse at 127\.0\.0\.1:\d+\/default refused \(code 60, UNKNOWN_TABLE\)$/);
    expect(await session.read('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await session.close();
  });

  it('R82 reads one block of rows for a key and an hour, whatever else is there', async () => {
    const store = await openClickHouseStore(options('pruned'));
    const fromMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS;
    const events = Array.from({ length: 50_000 }, (_, index) => eventOf({ event_id: `p:${String(index)}`, at_ms: fromMs + ((index * 7919) % (10 * HOUR_MS)), attributes: { key_id: `k${String(index % 1_000)}` } }));
    await store.write(events.map((event) => ({ partition: 0, event })));
    await ask(server, 'pruned', 'OPTIMIZE TABLE decisions FINAL');
    const session = new ClickHouseSession(clickHouseSettings(options('pruned')));
    const marks = async (filter: Parameters<typeof conditionSql>[0]): Promise<number> => {
      const bindings = new Bindings();
      const rows = await session.read<{ marks: number }>(`EXPLAIN ESTIMATE SELECT * FROM decisions WHERE ${conditionSql(filter, bindings)}`, bindings);
      return rows.reduce((sum, row) => sum + row.marks, 0);
    };
    expect(await marks({ fromMs, toMs: fromMs + DAY_MS })).toBeGreaterThanOrEqual(6);
    expect(await marks({ fromMs: fromMs + 4 * HOUR_MS, toMs: fromMs + 5 * HOUR_MS, attributes: { key_id: 'k500' } })).toBeLessThanOrEqual(2);
    expect(await marks({ fromMs: fromMs + 3 * DAY_MS, toMs: fromMs + 4 * DAY_MS })).toBe(0);
    await session.close();
    await store.close();
  });

  it('shows credentials to nobody', async () => {
    const guarded = await privateClickHouse({ user: { name: 'sluice', password: 'hush-hush' } });
    const said: string[] = [];
    const logger = createLogger({ app: 'test', level: 'trace', destination: new Writable({ write: (line: Buffer, _, done) => (said.push(line.toString()), done()) }) });
    const right = { url: `${guarded.url}/own`, retentionMs: DAY_MS, logger };
    const store = await openClickHouseStore(right);
    await store.write(log('p', 1, Date.now()));
    const wrong = openClickHouseStore({ ...right, url: right.url.replace('hush-hush', 'guess-guess') });
    await expect(wrong).rejects.toThrow(StartError);
    await expect(wrong).rejects.toThrow(/lets this user not in.*code 516, AUTHENTICATION_FAILED/);
    await guarded.kill();
    const failure = await store.write(log('q', 1, Date.now())).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    logger.error({ err: failure }, 'shown');
    const away = await openClickHouseStore(right);
    await Promise.all([away.close(), store.close()]);
    await wrong.catch((error: unknown) => logger.error({ err: error }, 'shown'));
    expect(said.length).toBeGreaterThan(2);
    expect(said.join('')).not.toMatch(/hush|guess/);
    await guarded.stop();
  });
});
