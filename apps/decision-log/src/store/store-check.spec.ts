import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreStatus } from './decision-store.js';
import { storeCheck } from './store-check.js';
import { StoreUnavailable } from './store-faults.js';

const STATUS: StoreStatus = { kind: 'duckdb', events: 0, bytes: 0, oldestMs: undefined, newestMs: undefined };

/** A store that answers as it is told, and counts. */
function storeThat(answer: () => Promise<StoreStatus>): { readonly asked: () => number; status(): Promise<StoreStatus> } {
  let asked = 0;
  return {
    asked: () => asked,
    status() {
      asked += 1;
      return answer();
    },
  };
}

describe('R91 readiness of the store', () => {
  it('one that answers is asked once in some seconds', async () => {
    const store = storeThat(() => Promise.resolve(STATUS));
    const check = storeCheck(store);
    expect(await Promise.all([check(), check()])).toEqual([{ ok: true }, { ok: true }]);
    await check();
    expect(store.asked()).toBe(1);
  });

  it('one that cannot be asked is said to be, without its address, and asked again', async () => {
    let away = true;
    const store = storeThat(() => (away ? Promise.reject(new StoreUnavailable('http://10.0.0.7:8123 refused user sluice')) : Promise.resolve(STATUS)));
    const check = storeCheck(store, { keptMs: 20 });
    expect(await check()).toEqual({ ok: true, detail: 'degraded: the store cannot be asked now' });
    away = false;
    await sleep(30);
    expect(await check()).toEqual({ ok: true });
  });

  it('one that hangs is waited for no longer than a probe has, and is asked no second time', async () => {
    const store = storeThat(() => new Promise(() => undefined));
    const check = storeCheck(store, { timeoutMs: 20 });
    const late = { ok: true, detail: 'degraded: the store did not answer within 20 ms' };
    expect([await check(), await check()]).toEqual([late, late]);
    expect(store.asked()).toBe(1);
  });
});
