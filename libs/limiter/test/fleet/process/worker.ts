import { createLimiter, redisStore, type Limiter, type RedisStore } from '@sluice/limiter';
import { compileSnapshot } from '@sluice/rules';
import type { Order, Said } from './messages.js';
import { OpenLoop } from './open-loop.js';

const limiters: Limiter[] = [];
const stores: RedisStore[] = [];
let running: OpenLoop | undefined;

function say(said: Said): void {
  process.send?.(said);
}

async function obey(order: Order): Promise<void> {
  if (order.kind === 'open') {
    const rules = compileSnapshot({ version: 1, plans: [], rules: order.rules, overrides: [] });
    for (let at = 0; at < order.nodes; at += 1) {
      // A second, since the machine is shared: what is measured here is the protocol, not Redis.
      const store = redisStore({ url: order.url, timeoutMs: 1000 });
      await store.ready(10_000);
      stores.push(store);
      limiters.push(createLimiter({ store, rules }));
    }
    say({ kind: 'ready' });
  } else if (order.kind === 'size') {
    say({ kind: 'size', sizes: limiters.map((limiter) => limiter.stats().fleetSize) });
  } else {
    running = new OpenLoop(limiters.slice(0, order.nodes), order);
    const report = await running.start();
    running = undefined;
    say({ kind: 'ran', report });
  }
}

/** As an app does it (R44): no new requests, leases back, then the store. */
async function stop(): Promise<void> {
  const startedMs = performance.now();
  const report = await running?.stop();
  await Promise.all(limiters.map((limiter) => limiter.close()));
  const tookMs = performance.now() - startedMs;
  const lost = limiters.reduce((sum, limiter) => sum + limiter.stats().lost, 0);
  await Promise.all(stores.map((store) => store.close()));
  process.send?.({ kind: 'stopped', ending: { report, tookMs, lost } } satisfies Said, () => process.exit(0));
}

process.on('message', (order: Order) => void obey(order));
process.once('SIGTERM', () => void stop());
process.once('disconnect', () => process.exit(1));
