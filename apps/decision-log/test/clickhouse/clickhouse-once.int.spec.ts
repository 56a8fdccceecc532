import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseServer } from '@sluice/testkit';
import { openClickHouseStore } from '../../src/store/clickhouse/open-clickhouse-store.js';
import type { DecisionStore, ReceivedEvent } from '../../src/store/decision-store.js';
import { StoreUnavailable } from '../../src/store/store-faults.js';
import { ifClickHouse } from './if-clickhouse.js';
import { ask, log, privateClickHouse, scanned } from './private-clickhouse.js';

const DAY_MS = 86_400_000;
const RETENTION_MS = 30 * DAY_MS;

ifClickHouse('R81 each event once in ClickHouse', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await privateClickHouse();
  }, 300_000);
  afterAll(() => server.stop());

  const open = (database: string, idleTimeoutMs = 30_000): Promise<DecisionStore> => openClickHouseStore({ url: `${server.url}/${database}`, retentionMs: RETENTION_MS, idleTimeoutMs });

  async function expectOnce(store: DecisionStore, events: readonly ReceivedEvent[]): Promise<void> {
    const filter = { fromMs: 0, toMs: Date.now() + DAY_MS };
    const ids = events.map(({ event }) => event.event_id);
    expect(await scanned(store, filter)).toEqual(ids);
    expect((await store.find(filter, ids.length + 10)).map(({ event_id }) => event_id)).toEqual(ids.toReversed());
    expect(await store.aggregate({ filter, groupBy: [], limit: 1 })).toMatchObject([{ events: ids.length, requests: ids.length, allowed: ids.length }]);
  }

  it('when two replicas write overlapping batches, as after a rebalance, before and after parts are merged', async () => {
    // Over midnight, so that a batch is two partitions of the table.
    const events = log('p', 3_000, Math.floor(Date.now() / DAY_MS) * DAY_MS - 1_500);
    const [one, other] = await Promise.all([open('twice'), open('twice')]);
    await Promise.all([
      (async () => { for (let at = 0; at < 2_000; at += 500) await one.write(events.slice(at, at + 500)); })(),
      (async () => { for (let at = 1_000; at < 3_000; at += 400) await other.write(events.slice(at, at + 400)); })(),
    ]);
    const [rows] = await ask<{ n: number }>(server, 'twice', 'SELECT count() AS n FROM decisions');
    expect(rows?.n).toBe(4_000); // They are there twice until parts are merged.
    await expectOnce(one, events);
    await ask(server, 'twice', 'OPTIMIZE TABLE decisions FINAL');
    expect(await ask(server, 'twice', 'SELECT count() AS n FROM decisions')).toEqual([{ n: 3_000 }]);
    await expectOnce(other, events);
    await Promise.all([one.close(), other.close()]);
  }, 120_000);

  it('known failure 26: when the server is killed in the middle of inserts, 20 times, and the sink with it', async () => {
    const events = log('p', 20_000, Math.floor(Date.now() / DAY_MS) * DAY_MS - 10_000);
    let store = await open('killed');
    let next = 0;
    let failures = 0;
    for (let round = 0; round < 20; round += 1) {
      const killing = sleep((round * 7) % 60).then(() => server.kill());
      try {
        for (;;) {
          const batch = events.slice(next, next + 300 + round * 37);
          await store.write(batch);
          // What was acknowledged is not written again.
          next = Math.min(next + batch.length, events.length - 1_000);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnavailable);
        failures += 1;
      }
      await killing;
      await server.restart();
      // Another process goes on, which knows nothing of what that one wrote.
      if (round % 2 === 1) {
        await store.close();
        store = await open('killed');
      }
    }
    expect(failures).toBe(20);
    while (next < events.length) {
      await store.write(events.slice(next, next + 5_000));
      next += 5_000;
    }
    await expectOnce(store, events);
    await store.close();
  }, 240_000); // Of which 20 restarts are 10 s on an idle machine.

  it('when the server stands still for 5 s', async () => {
    const events = log('p', 4_000, Date.now() - 10_000);
    const [patient, hasty] = await Promise.all([open('paused'), open('paused', 1_500)]);
    await patient.write(events.slice(0, 1_000));
    server.pause();
    const written = patient.write(events.slice(1_000, 2_000));
    const found = patient.find({ fromMs: 0, toMs: Date.now() }, 1);
    await expect(hasty.write(events.slice(0, 3_000))).rejects.toThrow(StoreUnavailable);
    await sleep(3_500);
    server.resume();
    expect(await written).toEqual({ stored: 1_000, repeated: 0 });
    expect(await found).toHaveLength(1);
    // The same again: whether the one that was given up arrived after all is not known.
    await hasty.write(events.slice(0, 3_000));
    await hasty.write(events.slice(2_500));
    await expectOnce(patient, events);
    await Promise.all([patient.close(), hasty.close()]);
  }, 120_000);

  it('when a scan loses its connection on the way', async () => {
    // More than sockets hold, and nothing that can be compressed: the server is not done when it is killed.
    const noise = (): string => randomBytes(128).toString('base64');
    const events = log('p', 12_000, Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS).map(({ partition, event }) => ({
      partition,
      event: { ...event, attributes: { ...event.attributes, a: noise(), b: noise(), c: noise(), d: noise() } },
    }));
    const store = await open('scanned');
    for (let at = 0; at < events.length; at += 4_000) await store.write(events.slice(at, at + 4_000));
    const ids: string[] = [];
    let killed = false;
    for await (const chunk of store.scan({ fromMs: 0, toMs: Date.now() + DAY_MS })) {
      ids.push(...chunk.map(({ event_id }) => event_id));
      if (killed) continue;
      killed = true;
      await server.kill();
      await server.restart();
    }
    expect(ids).toEqual(events.map(({ event }) => event.event_id));
    await store.close();
  }, 120_000);
});
