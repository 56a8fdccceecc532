import { setImmediate as turn } from 'node:timers/promises';
import { NO_STORE } from '../openapi/no-store.js';
import { eventOf } from '../../test/store-contract/sample-events.js';
import type { DecisionFilter } from '../store/decision-filter.js';
import { eventColumns } from '../store/event-columns.js';
import { Backtest } from './backtest.js';
import { runBacktest } from './run-backtest.js';

const START_MS = Date.UTC(2026, 10, 30);
const EVENTS = 40_000;
const chunk = (from: number) => Array.from({ length: 2_000 }, (_, at) => eventOf({ event_id: `p:${from + at}`, at_ms: START_MS + from + at, kind: 'decision', sampled_share: 1, attributes: { key_id: `k${at % 50}` } }));
const store = {
  ...NO_STORE,
  scanColumns: (_filter: DecisionFilter, attributes: ReadonlySet<string>) => eventColumns(chunks(), attributes),
};

async function* chunks() {
  for (let from = 0; from < EVENTS; from += 2_000) yield chunk(from);
}

function backtest(): Backtest {
  const snapshot = { version: 1, plans: [], overrides: [], rules: [{ rule_id: 'r', version: 1, limit: 5, window_seconds: 1 }] };
  return new Backtest('bt', 'token:a', { filter: { fromMs: START_MS, toMs: START_MS + EVENTS }, snapshot, warnings: [], overridesLeftOut: 0, digest: '' }, START_MS);
}

describe('R59 a backtest beside queries and the sink', () => {
  it('lets everything else on the thread have its turn every few ms', async () => {
    const one = backtest();
    let over = false;
    const running = runBacktest(one, store).finally(() => (over = true));
    let turns = 0;
    const spent = process.threadCpuUsage();
    while (!over) {
      turns += 1;
      await turn();
    }
    await running;
    const { user, system } = process.threadCpuUsage(spent);
    expect(one.progress).toMatchObject({ share: 1, events: EVENTS });
    expect(one.report()?.events).toBe(EVENTS);
    // By the time of the thread: slices of 2 ms, and what makes the events of the test.
    expect((user + system) / 1_000 / turns).toBeLessThan(15);
  });

  it('ends soon after it is cancelled', async () => {
    const one = backtest();
    const running = runBacktest(one, store);
    await turn();
    one.cancel(Date.now());
    await running;
    expect(one.progress.events).toBeLessThan(EVENTS);
    expect(one.state).toBe('cancelled');
  });
});
