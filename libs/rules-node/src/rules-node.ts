import { createDecisionStream } from '@sluice/decision-stream';
import { type Clock, createLimiter, type Decision, type Limiter, type ObserveShadow, systemClock } from '@sluice/limiter';
import { adminKeySource, createKeyDirectory, decisionMetrics, type KeyDirectory, type MetricFamily } from '@sluice/middleware';
import type { HealthChecks, Logger, Registry } from '@sluice/platform';
import { compileSnapshot, type RuleIndex, type Snapshot } from '@sluice/rules';
import { type CopyFault, createSnapshotClient, type SnapshotClient, snapshotMetrics, snapshotReadiness, type SnapshotStatus } from '@sluice/snapshot-client';
import { CounterWatch, type WatchedStore } from './counter-watch.js';
import { KeyCopy } from './key-copy.js';
import type { NodeConfig } from './node-config.js';
import { observePropagation } from './observe-propagation.js';
import { sendCountsTo } from './shadow-counts/send-counts.js';
import { ShadowMetrics } from './shadow-counts/shadow-metrics.js';
import { ShadowReporter } from './shadow-counts/shadow-reporter.js';
import { type ObserveDecision, observeDecisions, registerFamilies } from './register-metrics.js';
import type { NodeStream } from './stream/node-stream.js';
import { streamMetrics } from './stream/stream-metrics.js';
import type { StreamParts } from './stream/stream-parts.js';

/** What makes a service a node: a limiter of its own, with rules that follow the control plane. */
export interface RulesNode {
  readonly limiter: Limiter;
  readonly snapshots: SnapshotClient;
  readonly keys: KeyDirectory;
  readonly observe: ObserveDecision;
  /** Absent where nothing is sent. */
  readonly stream: NodeStream | undefined;
  /** Whether there are rules to decide by. */
  hasRules(): boolean;
  /** Takes up known keys, then polls. Resolves when there are rules. */
  start(): Promise<void>;
  /** Stops polling, returns leases, writes known keys and sends what the stream holds (R44). */
  close(): Promise<void>;
}

export interface RulesNodeOptions {
  /** What the service is called in events: `gateway`, `decision`. */
  readonly app: string;
  readonly config: NodeConfig;
  readonly store: WatchedStore;
  readonly clock?: Clock;
  readonly logger: Logger;
  readonly health: HealthChecks;
  readonly metrics: Registry;
  /**
   * The service serves callers by their API keys and by nothing else: those that are known are kept in `<snapshotFile>.keys`, and a start
   * from disk without any is not ready (R43). Default false.
   */
  readonly needsKeys?: boolean;
  /** Callers by their API keys are some of those that the service serves: known keys are kept just so, and readiness does not hang on them. Default: as {@link needsKeys}. */
  readonly keepsKeys?: boolean;
  /** Where to send what is decided (R80); absent: nowhere, and nothing is kept for it. */
  readonly stream?: StreamParts | undefined;
  /** What the limiter decides by, of each snapshot and its index, for a service that does not ask all rules of all requests. Default: the index. */
  readonly rulesOf?: (index: RuleIndex, snapshot: Snapshot) => RuleIndex;
}

const NO_RULES = compileSnapshot({ version: 0, plans: [], rules: [], overrides: [] });

const COPY_FAULTS: Readonly<Record<CopyFault['kind'], string>> = {
  write: 'the copy of the rules was not written; a start without the control plane would not have those of now',
  read: 'the copy of the rules is of no use; without the control plane there are no rules',
  missing: 'there is no copy of the rules; without the control plane there are no rules',
};

/** Puts limiter, rules and keys together, with their readiness and metrics. Polls after `start()`. */
export function createRulesNode({ app, config, store, clock, logger, health, metrics, needsKeys = false, keepsKeys = needsKeys, rulesOf = (index) => index, stream: streamTo }: RulesNodeOptions): RulesNode {
  const { adminUrl: url, pollMs } = config;
  const token = config.adminTokens[0];
  const clockOf = clock ?? systemClock();
  const storeNowMs = (): number => clockOf.nowMs() + limiter.stats().storeOffsetMs;
  const reporter = new ShadowReporter({ send: sendCountsTo({ url, token }), nowMs: storeNowMs, logger });
  let snapshotVersion = 0;
  const stream = streamTo && createDecisionStream({ ...streamTo, app, snapshotVersion: () => snapshotVersion, nowMs: storeNowMs });
  const shadows = new ShadowMetrics(reporter);
  const onShadow: ObserveShadow = (applied, verdict, attributes, nowMs) => {
    shadows.add(applied.rule.ruleId, verdict);
    reporter.note(applied, verdict, attributes, nowMs);
    stream?.noteShadow(applied, verdict, attributes, nowMs);
  };
  const limiter: Limiter = createLimiter({ store, rules: NO_RULES, onShadow, clock: clockOf, fleetSize: config.fleetSize, ...(config.hotKeys === 'whole' && { hotKeys: false }) });
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
    onSnapshot: (index, snapshot) => {
      limiter.use(rulesOf(index, snapshot));
      snapshotVersion = index.version;
      // A version may also stand for a key that was disabled.
      keys.doubtAll();
      logger.info({ snapshot_version: index.version }, 'rules in force');
    },
    onApplied: observePropagation(metrics),
    onRefused: (reason) => logger.error({ reason }, `snapshot refused; ${whatStands()}`),
    onError: (reason) => logger.warn({ reason }, `no answer about the rules; ${whatStands()}`),
    onCopyFault: ({ kind, reason }) => logger[kind === 'missing' ? 'warn' : 'error']({ reason }, COPY_FAULTS[kind]),
  });
  const hasRules = (): boolean => snapshots.status().version !== undefined;
  const whatStands = (): string => (hasRules() ? 'the old ones stay' : 'there are none yet');
  health.register('rules', () => snapshotReadiness(snapshots.status()));
  const copy = keepsKeys && config.snapshotFile !== undefined ? new KeyCopy({ path: `${config.snapshotFile}.keys`, keys, logger }) : undefined;
  // A control plane whose rules are refused can still be asked about keys.
  const isAlone = ({ restored, lastError }: SnapshotStatus): boolean => restored && lastError !== undefined;
  if (copy !== undefined && needsKeys) health.register('keys', () => copy.readiness(isAlone(snapshots.status())));
  registerFamilies(metrics, [...snapshotMetrics(snapshots), ...shadows.families, givenUpMetric(store)]);
  const watch = new CounterWatch({ store, stats: () => limiter.stats(), logger });
  health.register('counters', () => watch.readiness());
  const measure = observeDecisions(metrics, decisionMetrics(limiter));
  if (stream !== undefined) registerFamilies(metrics, streamMetrics(() => stream.stats()));
  const see = (decision: Decision, seconds: number): void => {
    watch.see(decision);
    measure(decision, seconds);
  };
  const seeAndNote: ObserveDecision | undefined =
    stream &&
    ((decision, seconds, attributes) => {
      see(decision, seconds);
      // What only looks decides nothing.
      if (attributes !== undefined && decision.cost > 0) stream.note(decision, attributes);
    });
  return {
    limiter,
    snapshots,
    keys,
    observe: seeAndNote ?? see,
    stream,
    hasRules,
    async start() {
      // Before there are rules nobody is served, so that no caller meets keys that are half read.
      await copy?.start();
      await snapshots.start();
    },
    async close() {
      await snapshots.close();
      // Until then it may still decide, and hear what rules in shadow would have said.
      await Promise.all([limiter.close().then(() => Promise.all([reporter.close(), stream?.close()])), copy?.close()]);
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
