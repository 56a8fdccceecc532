import { type Clock, createLimiter, type Limiter } from '@sluice/limiter';
import { adminKeySource, createKeyDirectory, decisionMetrics, type KeyDirectory, type MetricFamily } from '@sluice/middleware';
import type { HealthChecks, Logger, Registry } from '@sluice/platform';
import { compileSnapshot } from '@sluice/rules';
import { createSnapshotClient, type SnapshotClient, snapshotMetrics, snapshotReadiness } from '@sluice/snapshot-client';
import { CounterWatch, type WatchedStore } from './counter-watch.js';
import type { NodeConfig } from './node-config.js';
import { type ObserveDecision, observeDecisions, registerFamilies } from './register-metrics.js';

/** What makes a service a node: a limiter of its own, with rules that follow the control plane. */
export interface RulesNode {
  readonly limiter: Limiter;
  readonly snapshots: SnapshotClient;
  readonly keys: KeyDirectory;
  readonly observe: ObserveDecision;
  /** Whether there are rules to decide by. */
  hasRules(): boolean;
  /** Stops polling and returns leases (R44). */
  close(): Promise<void>;
}

export interface RulesNodeOptions {
  readonly config: NodeConfig;
  readonly store: WatchedStore;
  readonly clock?: Clock;
  readonly logger: Logger;
  readonly health: HealthChecks;
  readonly metrics: Registry;
}

const NO_RULES = compileSnapshot({ version: 0, plans: [], rules: [], overrides: [] });

/** Puts limiter, rules and keys together, with their readiness and metrics. Polls after `snapshots.start()`. */
export function createRulesNode({ config, store, clock, logger, health, metrics }: RulesNodeOptions): RulesNode {
  const { adminUrl: url, pollMs } = config;
  const token = config.adminTokens[0];
  const limiter = createLimiter({ store, rules: NO_RULES, fleetSize: config.fleetSize, ...(config.hotKeys === 'whole' && { hotKeys: false }), ...(clock === undefined ? {} : { clock }) });
  const keys = createKeyDirectory({
    source: adminKeySource({ url, token }),
    ttlMs: config.keyTtlMs,
    onFailure: (error) => logger.warn({ err: error }, 'key lookup failed'),
  });
  const snapshots = createSnapshotClient({
    url,
    token,
    pollMs,
    copyFile: config.snapshotFile,
    onSnapshot: (index) => {
      limiter.use(index);
      // A version may also stand for a key that was disabled.
      keys.doubtAll();
      logger.info({ snapshot_version: index.version }, 'rules in force');
    },
    onRefused: (reason) => logger.error({ reason }, 'snapshot refused; the old rules stay'),
    onError: (reason) => logger.warn({ reason }, 'no answer about the rules; the old ones stay'),
  });
  health.register('rules', () => snapshotReadiness(snapshots.status()));
  registerFamilies(metrics, [...snapshotMetrics(snapshots), givenUpMetric(store)]);
  const watch = new CounterWatch({ store, stats: () => limiter.stats(), logger });
  health.register('counters', () => watch.readiness());
  const measure = observeDecisions(metrics, decisionMetrics(limiter));
  return {
    limiter,
    snapshots,
    keys,
    observe: (decision, seconds) => {
      watch.see(decision);
      measure(decision, seconds);
    },
    hasRules: () => snapshots.status().version !== undefined,
    async close() {
      await snapshots.close();
      await limiter.close();
    },
  };
}

/** What an alarm watches: a server of the store that is given up leaves its keys to the fallback (R41). */
function givenUpMetric(store: WatchedStore): MetricFamily {
  return {
    name: 'sluice_store_servers_given_up',
    help: 'Servers of the counter store that failed several times in a row and are left alone, but for probes.',
    type: 'gauge',
    labelNames: [],
    collect: () => [{ labels: {}, value: store.givenUp?.length ?? 0 }],
  };
}
