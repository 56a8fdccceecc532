import { DECISION_CONFIG } from '@sluice-app/decision';
import { DECISION_LOG_CONFIG } from '@sluice-app/decision-log';
import { GATEWAY_CONFIG } from '@sluice-app/gateway';
import { ACCESS_VARIABLES, loadWithAccess, RULES_ADMIN_VARIABLES } from '@sluice-app/rules-admin';
import { type Config, list, LOG_LEVELS, oneOf, optional, text, url } from '@sluice/platform';
import { STREAM_CONFIG } from '@sluice/rules-node';

/** Only this machine, unless told otherwise: it comes with a well-known token and well-known keys. */
const LOOPBACK = '127.0.0.1';

/** What standalone reads. Every server that is absent has an embedded stand-in; pointing a variable at a real one changes nothing else (R90). */
export const STANDALONE_CONFIG = {
  adminHost: text('SLUICE_ADMIN_HOST', { default: LOOPBACK }),
  adminPort: RULES_ADMIN_VARIABLES.port,
  /** Absent: the development token, from this machine only. */
  adminTokens: optional(RULES_ADMIN_VARIABLES.adminTokens),
  ...ACCESS_VARIABLES,
  migrateOnStart: RULES_ADMIN_VARIABLES.migrateOnStart,
  idempotencyTtlMs: RULES_ADMIN_VARIABLES.idempotencyTtlMs,
  databaseUrl: optional(RULES_ADMIN_VARIABLES.databaseUrl),
  dataDir: text('SLUICE_DATA_DIR', { default: '.sluice' }),
  redisUrls: optional(list(url('SLUICE_REDIS_URL', { protocols: ['redis:', 'rediss:'], secret: true }))),
  kafkaBrokers: optional(list(text('SLUICE_KAFKA_BROKERS', { pattern: /^[^\s:]+:\d+$/, expects: 'host:port' }))),
  decisionHost: text('SLUICE_DECISION_HOST', { default: LOOPBACK }),
  decisionPort: DECISION_CONFIG.port,
  decisionGrpcPort: DECISION_CONFIG.grpcPort,
  decisionTokens: DECISION_CONFIG.tokens,
  decisionAskers: DECISION_CONFIG.askers,
  decisionSocketPath: DECISION_CONFIG.socketPath,
  decisionTlsCertFile: DECISION_CONFIG.tlsCertFile,
  decisionTlsKeyFile: DECISION_CONFIG.tlsKeyFile,
  decisionTlsClientCaFile: DECISION_CONFIG.tlsClientCaFile,
  decisionTrustedProxies: DECISION_CONFIG.ownTrustedProxies,
  decisionRlsHeaders: DECISION_CONFIG.rlsHeaders,
  decisionLogHost: text('SLUICE_DECISION_LOG_HOST', { default: LOOPBACK }),
  decisionLogPort: DECISION_LOG_CONFIG.port,
  /** Absent: `decisions` in the data folder. */
  decisionLogDir: optional(text('SLUICE_DECISION_LOG_DIR')),
  clickhouseUrl: DECISION_LOG_CONFIG.clickhouseUrl,
  retentionMs: DECISION_LOG_CONFIG.retentionMs,
  abuseFile: DECISION_LOG_CONFIG.abuseFile,
  /** Off: nothing is recorded, and there is no decision log. */
  ...STREAM_CONFIG,
  /** All of it: who tries this out asks about a request that he just made. */
  streamAllowShare: { ...STREAM_CONFIG.streamAllowShare, fallback: { value: 1 } },
  gatewayHost: text('SLUICE_GATEWAY_HOST', { default: LOOPBACK }),
  gatewayPort: GATEWAY_CONFIG.port,
  gatewayOpsPort: GATEWAY_CONFIG.opsPort,
  /** Absent: an echo service. */
  upstreamUrl: optional(GATEWAY_CONFIG.upstreamUrl),
  upstreamTimeoutMs: GATEWAY_CONFIG.upstreamTimeoutMs,
  trustedProxies: GATEWAY_CONFIG.trustedProxies,
  corsOrigins: GATEWAY_CONFIG.corsOrigins,
  edgeLimit: GATEWAY_CONFIG.edgeLimit,
  edgeIpv6Prefix: GATEWAY_CONFIG.edgeIpv6Prefix,
  edgeDomain: GATEWAY_CONFIG.edgeDomain,
  upstreamCosts: GATEWAY_CONFIG.upstreamCosts,
  limitsPath: GATEWAY_CONFIG.limitsPath,
  wsMessageRule: GATEWAY_CONFIG.wsMessageRule,
  headerTimeoutMs: GATEWAY_CONFIG.headerTimeoutMs,
  stallTimeoutMs: GATEWAY_CONFIG.stallTimeoutMs,
  pollMs: GATEWAY_CONFIG.pollMs,
  /** Not used, and said so: environments are shared, and it is of use to others. */
  snapshotFile: GATEWAY_CONFIG.snapshotFile,
  keyTtlMs: GATEWAY_CONFIG.keyTtlMs,
  fleetSize: GATEWAY_CONFIG.fleetSize,
  hotKeys: GATEWAY_CONFIG.hotKeys,
  logLevel: oneOf('SLUICE_LOG_LEVEL', LOG_LEVELS, { default: 'warn' }),
} as const;

export type StandaloneConfig = Config<typeof STANDALONE_CONFIG>;

/** The environment of the process. @throws ConfigError with all faults at once */
export function loadStandaloneConfig(env: Readonly<Record<string, string | undefined>>): StandaloneConfig {
  return loadWithAccess(STANDALONE_CONFIG, env);
}
