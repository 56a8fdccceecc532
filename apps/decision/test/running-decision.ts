import { setTimeout as sleep } from 'node:timers/promises';
import { type CounterStore, memoryStore, systemClock } from '@sluice/limiter';
import { createLogger, InProcessBus } from '@sluice/platform';
import type { Rule, Snapshot } from '@sluice/rules';
import { type ControlPlane, startControlPlane } from '../../../libs/snapshot-client/test/control-plane.js';
import type { DecisionConfig } from '../src/config/decision-config.js';
import { createDecision, type DecisionParts, type RunningDecision } from '../src/create-decision.js';

/** A decision service in this process, on a control plane that serves the given rules and knows `demo-free` (k1), `other-free` (k3) and the disabled `gone`. */
export interface Stage {
  readonly plane: ControlPlane;
  readonly decision: RunningDecision;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly rules: readonly Rule[];
  readonly config?: Partial<DecisionConfig>;
  readonly store?: CounterStore;
  /** Default: nothing is sent. */
  readonly stream?: DecisionParts['stream'];
}

export function snapshotOf(version: number, rules: readonly Rule[]): Snapshot {
  return { version, plans: [{ plan_id: 'free' }, { plan_id: 'pro' }], rules, overrides: [] };
}

/** All settings at what they are when nothing is set, on a free port of the loopback. */
export const BARE_CONFIG: DecisionConfig = {
  host: '127.0.0.1',
  port: 0,
  grpcPort: 0,
  tokens: undefined,
  askers: undefined,
  socketPath: undefined,
  tlsCertFile: undefined,
  tlsKeyFile: undefined,
  tlsClientCaFile: undefined,
  trustedProxies: 'none',
  ownTrustedProxies: undefined,
  rlsHeaders: 'both',
  adminUrl: '',
  adminTokens: ['node-token'],
  pollMs: 50,
  keyTtlMs: 2_000,
  fleetSize: undefined,
  hotKeys: 'split',
  snapshotFile: undefined,
};

export async function startStage({ rules, config = {}, store = memoryStore(systemClock()), stream }: StageOptions): Promise<Stage> {
  const plane = await startControlPlane(snapshotOf(7, rules));
  plane.keys.set('demo-free', { key_id: 'k1', tenant_id: 't1', plan: 'free', disabled: false });
  plane.keys.set('other-free', { key_id: 'k3', tenant_id: 't1', plan: 'free', disabled: false });
  plane.keys.set('gone', { key_id: 'k2', tenant_id: 't1', plan: 'free', disabled: true });
  const logger = createLogger({ app: 'decision', level: 'silent' });
  const bus = new InProcessBus(logger);
  const closePlane = async (): Promise<void> => {
    await bus.close();
    await plane.close();
  };
  let decision: RunningDecision | undefined;
  try {
    decision = await createDecision({ config: { ...BARE_CONFIG, adminUrl: plane.url, ...config }, store, bus, logger, stream });
    // Rules that are refused are asked for again and again: a test would hang.
    await Promise.race([decision.ready, sleep(5_000, undefined, { ref: false }).then(() => Promise.reject(new Error('there are no rules in force after 5 s')))]);
    const running = decision;
    return {
      plane,
      decision: running,
      close: async () => {
        await running.close();
        await closePlane();
      },
    };
  } catch (error) {
    await decision?.close();
    await closePlane();
    throw error;
  }
}
