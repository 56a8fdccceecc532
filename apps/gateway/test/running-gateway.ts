import { type CounterStore, memoryStore, systemClock } from '@sluice/limiter';
import { createLogger, InProcessBus, type Logger } from '@sluice/platform';
import type { Rule, Snapshot } from '@sluice/rules';
import { startControlPlane } from '../../../libs/snapshot-client/test/control-plane.js';
import type { ControlPlane } from '../../../libs/snapshot-client/test/control-plane.js';
import type { GatewayConfig } from '../src/config/gateway-config.js';
import { createGateway } from '../src/create-gateway.js';
import type { GatewayParts, RunningGateway } from '../src/create-gateway.js';
import { startUpstream } from './upstream.js';
import type { Upstream } from './upstream.js';

/** A gateway between a control plane and an upstream, all real. */
export interface Stage {
  readonly plane: ControlPlane;
  readonly upstream: Upstream;
  readonly bus: InProcessBus;
  readonly gateway: RunningGateway;
  /** A request with the key `demo-free` unless told otherwise. */
  ask(path: string, init?: RequestInit & { readonly key?: string | undefined }): Promise<Response>;
  close(): Promise<void>;
}

export const FREE_RULES: readonly Rule[] = [{ rule_id: 'free-default', version: 1, plan: 'free', limit: 5, window_seconds: 60 }];

export function snapshotOf(version: number, rules: readonly Rule[]): Snapshot {
  return { version, plans: [{ plan_id: 'free' }, { plan_id: 'pro' }], rules, overrides: [] };
}

export interface StageOptions {
  readonly rules?: readonly Rule[];
  readonly config?: Partial<GatewayConfig>;
  readonly logger?: Logger;
  /** Default: a memory store of its own. */
  readonly store?: CounterStore;
  /** Default: nothing is sent. */
  readonly stream?: GatewayParts['stream'];
  /** Default: waits for the first rules. */
  readonly awaitReady?: boolean;
}

export async function startStage({ rules = FREE_RULES, config = {}, logger, store = memoryStore(systemClock()), awaitReady = true, stream }: StageOptions = {}): Promise<Stage> {
  const plane = await startControlPlane(snapshotOf(1, rules));
  plane.keys.set('demo-free', { key_id: 'k-free', tenant_id: 't1', plan: 'free', disabled: false });
  plane.keys.set('demo-pro', { key_id: 'k-pro', tenant_id: 't2', plan: 'pro', disabled: false });
  plane.keys.set('gone', { key_id: 'k-gone', tenant_id: 't1', plan: 'free', disabled: true });
  const upstream = await startUpstream();
  const log = logger ?? createLogger({ app: 'gateway', level: 'silent' });
  const bus = new InProcessBus(log);
  const gateway = await createGateway({
    config: {
      host: '127.0.0.1',
      port: 0,
      opsPort: 0,
      upstreamUrl: upstream.url,
      upstreamTimeoutMs: 5000,
      trustedProxies: 'none',
      corsOrigins: undefined,
      edgeLimit: undefined,
      edgeIpv6Prefix: 64,
      edgeDomain: 'edge',
      upstreamCosts: false,
      limitsPath: undefined,
      wsMessageRule: undefined,
      headerTimeoutMs: 10_000,
      stallTimeoutMs: 300_000,
      adminUrl: plane.url,
      adminTokens: ['node-token'],
      pollMs: 50,
      keyTtlMs: 200,
      fleetSize: undefined,
      hotKeys: 'split',
      snapshotFile: undefined,
      ...config,
    },
    store,
    bus,
    logger: log,
    stream,
  }).catch(async (error: unknown) => {
    await Promise.all([bus.close(), upstream.close(), plane.close()]);
    throw error;
  });
  if (awaitReady) await gateway.ready;
  return {
    plane,
    upstream,
    bus,
    gateway,
    ask: (path, { key = 'demo-free', ...init } = {}) =>
      fetch(gateway.url + path, { ...init, headers: { ...(key === '' ? {} : { 'X-Api-Key': key }), ...(init.headers as Record<string, string> | undefined) } }),
    async close() {
      await gateway.close();
      await bus.close();
      await upstream.close();
      await plane.close();
    },
  };
}

/** How often the gateway asked about a key. */
export function lookUpsOf({ seen }: ControlPlane): number {
  return seen.filter(({ url }) => url.endsWith('keys:lookup')).length;
}
