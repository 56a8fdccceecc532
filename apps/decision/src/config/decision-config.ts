import { type Config, durationMs, integer, list, LOG_LEVELS, oneOf, optional, text, url } from '@sluice/platform';

const token = { secret: true, pattern: /^[\x21-\x7e]{8,}$/, expects: 'a token of at least 8 visible ASCII characters' } as const;

/** What the service itself reads; `standalone` gives the same object. */
export const DECISION_CONFIG = {
  /** Address to listen on. */
  host: text('SLUICE_DECISION_HOST', { default: '0.0.0.0' }),
  port: integer('SLUICE_DECISION_PORT', { min: 0, max: 65_535, default: 8090 }),
  /** Bearer token of the services that ask; absent: only callers on this machine may. */
  token: optional(text('SLUICE_DECISION_TOKEN', token)),
  adminUrl: url('SLUICE_ADMIN_URL', { protocols: ['http:', 'https:'] }),
  /** The first is sent: the control plane may accept several while they are exchanged. */
  adminTokens: list(text('SLUICE_ADMIN_TOKEN', token)),
  pollMs: durationMs('SLUICE_SNAPSHOT_POLL', { min: 100, max: 3_600_000, default: 30_000 }),
  keyTtlMs: durationMs('SLUICE_KEY_TTL', { min: 100, max: 3_600_000, default: 2_000 }),
  fleetSize: integer('SLUICE_FLEET_SIZE', { min: 1, max: 100_000, default: 1 }),
} as const;

export type DecisionConfig = Config<typeof DECISION_CONFIG>;

/** What the process around it reads as well. */
export const DECISION_PROCESS_CONFIG = {
  ...DECISION_CONFIG,
  redisUrls: list(url('SLUICE_REDIS_URL', { protocols: ['redis:', 'rediss:'] })),
  kafkaBrokers: optional(list(text('SLUICE_KAFKA_BROKERS', { pattern: /^[^\s:]+:\d+$/, expects: 'host:port' }))),
  nodeId: optional(text('SLUICE_NODE_ID', { pattern: /^[A-Za-z0-9_.-]{1,64}$/, expects: '1 to 64 letters, digits, _ . or -' })),
  region: text('SLUICE_REGION', { default: 'local', pattern: /^[a-z0-9-]{1,32}$/, expects: '1 to 32 lower-case letters, digits or -' }),
  logLevel: oneOf('SLUICE_LOG_LEVEL', LOG_LEVELS, { default: 'info' }),
} as const;
