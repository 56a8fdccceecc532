import { type RedisStore, redisStore } from '@sluice/limiter';
import { createLogger, InProcessBus } from '@sluice/platform';
import { createDecision, type RunningDecision } from '@sluice-app/decision';
import { BARE_CONFIG } from '../../../../decision/test/running-decision.js';
import type { Ground } from '../surface.js';
import { STORE_TIMEOUT_MS } from './engine.js';

/** The decision service, which three of the surfaces are doors of. */
export interface DecisionHouse {
  readonly decision: RunningDecision;
  close(): Promise<void>;
}

export async function startDecision({ plane, redisUrl, trust }: Ground): Promise<DecisionHouse> {
  const store: RedisStore = redisStore({ url: redisUrl, timeoutMs: STORE_TIMEOUT_MS });
  await store.ready(5_000);
  const logger = createLogger({ app: 'decision', level: 'silent' });
  const bus = new InProcessBus(logger);
  const decision = await createDecision({ config: { ...BARE_CONFIG, adminUrl: plane.url, trustedProxies: trust }, store, bus, logger });
  await decision.ready;
  return {
    decision,
    async close() {
      await decision.close();
      await bus.close();
      await store.close();
    },
  };
}
