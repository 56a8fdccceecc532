import type { StandaloneConfig } from '@sluice-app/standalone';
import type { Addresses } from './addresses.js';
import type { Servers } from './servers.js';

/** A change of rules should be seen while one looks, although nothing is pushed without Kafka. */
const POLL_WITHOUT_KAFKA = '1s';

/** What opens the control plane: for people, and for nodes. */
export interface Tokens {
  readonly admin: string;
  readonly node: string;
}

/** The environment of all apps: ours, with every address filled in. An app takes what concerns it, so that one is nearly enough: see {@link nodeEnvironment}. */
export function appEnvironment(config: StandaloneConfig, { gateway, ops, admin, decision, decisionGrpc, decisionLog }: Addresses, servers: Servers, tokens: Tokens): NodeJS.ProcessEnv {
  return {
    // Before ours: what stands in when we have none.
    ...(config.kafkaBrokers === undefined ? { SLUICE_SNAPSHOT_POLL: POLL_WITHOUT_KAFKA } : {}),
    SLUICE_ADMIN_TOKEN: tokens.admin,
    SLUICE_NODE_TOKEN: tokens.node,
    ...process.env,
    ...(servers.decisionsDir === undefined ? {} : { SLUICE_DECISION_LOG_DIR: servers.decisionsDir }),
    SLUICE_DATABASE_URL: servers.databaseUrl,
    SLUICE_REDIS_URL: servers.redisUrl,
    SLUICE_UPSTREAM_URL: servers.upstreamUrl,
    SLUICE_ADMIN_URL: admin.url,
    SLUICE_ADMIN_HOST: admin.host,
    SLUICE_ADMIN_PORT: String(admin.port),
    SLUICE_DECISION_HOST: decision.host,
    SLUICE_DECISION_PORT: String(decision.port),
    SLUICE_DECISION_GRPC_PORT: String(decisionGrpc.port),
    SLUICE_DECISION_LOG_HOST: decisionLog.host,
    SLUICE_DECISION_LOG_PORT: String(decisionLog.port),
    SLUICE_GATEWAY_HOST: gateway.host,
    SLUICE_GATEWAY_PORT: String(gateway.port),
    SLUICE_GATEWAY_OPS_PORT: String(ops.port),
    SLUICE_LOG_LEVEL: config.logLevel,
  };
}

/** That of a node: its token opens what nodes need, and no more. */
export function nodeEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, SLUICE_ADMIN_TOKEN: env['SLUICE_NODE_TOKEN']?.split(',')[0] };
}
