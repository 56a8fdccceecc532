import { StoreUnavailable } from '../../src/store/store-faults.js';
import type { OpenContractStore } from './contract-store.js';
import { eventOf } from './sample-events.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What holds over the life of a store: retention, being closed and opened again, what it says of itself. */
export function lifetimes(open: OpenContractStore): void {
  it('removes what is older than the retention, and nothing else', async () => {
    const own = await open({ retentionMs: 3 * DAY_MS });
    try {
      const now = Date.now();
      const ages = [5 * DAY_MS, 4.5 * DAY_MS, 2 * DAY_MS, HOUR_MS, 0];
      const events = ages.map((ageMs, index) => eventOf({ event_id: `ages:${String(index)}`, at_ms: now - ageMs }));
      await own.store.write(events.map((event) => ({ partition: 0, event })));
      const left = async (): Promise<string[]> => {
        await own.store.tend(now);
        return (await own.store.find({ fromMs: 0, toMs: now + DAY_MS }, 10)).map(({ event_id }) => event_id);
      };
      // A store may take its time about it.
      const deadline = Date.now() + 20_000;
      while ((await left()).length > 3 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await left()).toEqual(['ages:4', 'ages:3', 'ages:2']);
      expect(await own.store.write(events.slice(2).map((event) => ({ partition: 0, event })))).toEqual({ stored: 0, repeated: 3 });
      expect(await own.store.status()).toMatchObject({ events: 3, oldestMs: now - 2 * DAY_MS, newestMs: now });
    } finally {
      await own.discard();
    }
  });

  it('R81 knows after it was opened again what it held, and what is a repeat', async () => {
    const own = await open({ retentionMs: 30 * DAY_MS });
    try {
      const now = Date.now();
      const batch = [0, 1, 2].map((index) => ({ partition: 0, event: eventOf({ event_id: `again:${String(index)}`, at_ms: now - index * DAY_MS }) }));
      await own.store.write(batch);
      await own.store.tend(now);
      const again = await own.reopen();
      expect(await again.write([...batch, { partition: 0, event: eventOf({ event_id: 'again:3', at_ms: now }) }])).toEqual({ stored: 1, repeated: 3 });
      expect((await again.find({ fromMs: 0, toMs: now + 1 }, 10)).map(({ event_id }) => event_id)).toEqual(['again:3', 'again:0', 'again:1', 'again:2']);
    } finally {
      await own.discard();
    }
  });

  it('says how much it holds', async () => {
    const own = await open({ retentionMs: 30 * DAY_MS });
    try {
      expect(await own.store.status()).toMatchObject({ events: 0, oldestMs: undefined, newestMs: undefined });
      const now = Date.now();
      await own.store.write([0, 1, 2].map((index) => ({ partition: 0, event: eventOf({ event_id: `much:${String(index)}`, at_ms: now - index * DAY_MS }) })));
      const check = async (): Promise<void> => {
        const status = await own.store.status();
        expect(status).toMatchObject({ events: 3, oldestMs: now - 2 * DAY_MS, newestMs: now });
        expect(status.bytes).toBeGreaterThan(0);
        expect(status.kind).toMatch(/^(duckdb|clickhouse)$/);
      };
      await check();
      await own.store.tend(now);
      await check();
    } finally {
      await own.discard();
    }
  });

  it('answers nothing once it is closed, and says so', async () => {
    const own = await open({ retentionMs: 30 * DAY_MS });
    try {
      const { store } = own;
      const filter = { fromMs: 0, toMs: Date.now() };
      const batch = [{ partition: 0, event: eventOf({ event_id: 'closed:1', at_ms: Date.now() }) }];
      const running = store.write(batch);
      await store.close();
      await running;
      await expect(store.write(batch)).rejects.toThrow(StoreUnavailable);
      await expect(store.find(filter, 1)).rejects.toThrow(StoreUnavailable);
      await expect(store.aggregate({ filter, groupBy: [], limit: 1 })).rejects.toThrow(StoreUnavailable);
      await expect((async () => { for await (const _ of store.scan(filter)) break; })()).rejects.toThrow(StoreUnavailable);
      await expect(store.status()).rejects.toThrow(StoreUnavailable);
    } finally {
      await own.discard();
    }
  });

  it('is closed while a scan of it waits for its caller', async () => {
    const own = await open({ retentionMs: 30 * DAY_MS });
    try {
      const now = Date.now();
      const { store } = own;
      for (let batch = 0; batch < 3; batch += 1) {
        await store.write(Array.from({ length: 5_000 }, (_, index) => ({ partition: 0, event: eventOf({ event_id: `scan:${String(batch * 5_000 + index)}`, at_ms: now - index }) })));
      }
      const scan = store.scan({ fromMs: 0, toMs: now + 1 })[Symbol.asyncIterator]();
      expect((await scan.next()).done).toBe(false);
      await store.close();
      await expect((async () => { while ((await scan.next()).done !== true); })()).rejects.toThrow(StoreUnavailable);
    } finally {
      await own.discard();
    }
  });
}
