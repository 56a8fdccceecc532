import { type Config, durationMs, integer, list, LOG_LEVELS, oneOf, optional, text, url } from '@sluice/platform';
import { STREAM_CONFIG } from './stream/stream-config.js';

/** A bearer token as the environment holds it. */
export const TOKEN_TEXT = { secret: true, pattern: /^[\x21-\x7e]{8,}$/, expects: 'a token of at least 8 visible ASCII characters' } as const;

/** What every node of the data plane reads. */
export const NODE_CONFIG = {
  adminUrl: url('SLUICE_ADMIN_URL', { protocols: ['http:', 'https:'] }),
  /** The first is sent: the control plane may accept several while they are exchanged. */
  adminTokens: list(text('SLUICE_ADMIN_TOKEN', TOKEN_TEXT)),
  pollMs: durationMs('SLUICE_SNAPSHOT_POLL', { min: 100, max: 3_600_000, default: 30_000 }),
  /** Keeps the last good rules, so that a start does not need the control plane (R43). Absent: none are kept. */
  snapshotFile: optional(text('SLUICE_SNAPSHOT_FILE')),
  /** How long what is known of an API key is taken for true: a disabled key stops within it. */
  keyTtlMs: durationMs('SLUICE_KEY_TTL', { min: 100, max: 3_600_000, default: 2_000 }),
  /** Nodes that share each limit while the store is away. Absent: as many as beat to the store (R41). */
  fleetSize: optional(integer('SLUICE_FLEET_SIZE', { min: 1, max: 100_000 })),
  /** Whether hot counters are split by themselves on a Redis Cluster (R28); the same for all nodes. */
  hotKeys: oneOf('SLUICE_HOT_KEYS', ['split', 'whole'], { default: 'split' }),
} as const;

export type NodeConfig = Config<typeof NODE_CONFIG>;

/** What a process around a node reads as well. */
export const NODE_PROCESS_CONFIG = {
  redisUrls: list(url('SLUICE_REDIS_URL', { protocols: ['redis:', 'rediss:'], secret: true })),
  kafkaBrokers: optional(list(text('SLUICE_KAFKA_BROKERS', { pattern: /^[^\s:]+:\d+$/, expects: 'host:port' }))),
  nodeId: optional(text('SLUICE_NODE_ID', { pattern: /^[A-Za-z0-9_.-]{1,64}$/, expects: '1 to 64 letters, digits, _ . or -' })),
  region: text('SLUICE_REGION', { default: 'local', pattern: /^[a-z0-9-]{1,32}$/, expects: '1 to 32 lower-case letters, digits or -' }),
  logLevel: oneOf('SLUICE_LOG_LEVEL', LOG_LEVELS, { default: 'info' }),
  ...STREAM_CONFIG,
} as const;

export type NodeProcessConfig = Config<typeof NODE_PROCESS_CONFIG>;
