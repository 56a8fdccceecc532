import { createLimiter, type Limiter, redisStore } from '@sluice/limiter';
import { compileSnapshot } from '@sluice/rules';
import { createSnapshotClient } from '@sluice/snapshot-client';
import { snapshotOf } from '../rules.js';
import type { Ground } from '../surface.js';

/** Slow machines are no store that is away. */
export const STORE_TIMEOUT_MS = 3_000;

/** An engine in this process as a skin's user has it: rules from the control plane, counters in Redis. */
export interface Engine {
  readonly limiter: Limiter;
  close(): Promise<void>;
}

export async function startEngine({ plane, redisUrl }: Pick<Ground, 'plane' | 'redisUrl'>): Promise<Engine> {
  const store = redisStore({ url: redisUrl, timeoutMs: STORE_TIMEOUT_MS });
  await store.ready(5_000);
  const limiter = createLimiter({ store, rules: compileSnapshot(snapshotOf(0, [])) });
  const snapshots = createSnapshotClient({ url: plane.url, pollMs: 50, onSnapshot: (index) => limiter.use(index) });
  await snapshots.start();
  return {
    limiter,
    async close() {
      await snapshots.close();
      await limiter.close();
      await store.close();
    },
  };
}
