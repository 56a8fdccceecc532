import { writeSync } from 'node:fs';
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js';
import { EVENTS_A_BATCH, type Orders } from './messages.js';
import { FIRST_HOUR_MS, HOURS, numberedEvent } from './numbered-event.js';

const orders = JSON.parse(process.argv[2] ?? '') as Orders;
const store = await openDuckDbStore({ dir: orders.dir, retentionMs: 3_650 * 86_400_000, openRows: 200 });
say('open');
if (orders.onlyOpen !== true) await Promise.all([write(), tend()]);
else setInterval(() => undefined, 1_000);

/** As after a crash: what was stored comes again, in batches that are cut differently. */
async function write(): Promise<never> {
  let next = Math.max(0, orders.from - Math.floor(Math.random() * 4 * EVENTS_A_BATCH));
  for (;;) {
    const size = 1 + Math.floor(Math.random() * 2 * EVENTS_A_BATCH);
    const batch = Array.from({ length: size }, (_, index) => ({ partition: 0, event: numberedEvent(next + index) }));
    await store.write(batch);
    next += size;
    // At once and in order, so that it is out before the process can be killed for the next one.
    say(String(next));
  }
}

async function tend(): Promise<never> {
  for (;;) {
    await store.tend(FIRST_HOUR_MS + HOURS * 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function say(word: string): void {
  writeSync(1, `${word}\n`);
}
