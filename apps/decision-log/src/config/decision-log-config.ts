import { type Config, durationMs, integer, list, LOG_LEVELS, oneOf, optional, text, url } from '@sluice/platform';

/** What the service itself reads; `standalone` gives the same object. */
export const DECISION_LOG_CONFIG = {
  /** Address to listen on. */
  host: text('SLUICE_DECISION_LOG_HOST', { default: '0.0.0.0' }),
  port: integer('SLUICE_DECISION_LOG_PORT', { min: 0, max: 65_535, default: 8092 }),
  /** The control plane: it knows the tokens of callers, the rules as they were, and takes overrides. */
  adminUrl: url('SLUICE_ADMIN_URL', { protocols: ['http:', 'https:'] }),
  /** A token of the control plane with the role of a viewer; of an editor, where overrides are to be applied. The first is sent. */
  adminTokens: list(text('SLUICE_ADMIN_TOKEN', { secret: true, pattern: /^[\x21-\x7e]{8,}$/, expects: 'a token of at least 8 visible ASCII characters' })),
  /** Tokens that are none from one address in a minute, before no more are asked about; default 10. */
  loginFailuresPerMinute: optional(integer('SLUICE_LOGIN_FAILURES_PER_MINUTE', { min: 1, max: 100_000 })),
  /** Folder of the embedded store; used where no ClickHouse is named. */
  dataDir: text('SLUICE_DECISION_LOG_DIR', { default: '.sluice/decisions' }),
  /** `http(s)://user:password@host:8123/database`. Absent: DuckDB in this process, which is for one replica. */
  clickhouseUrl: optional(url('SLUICE_CLICKHOUSE_URL', { protocols: ['http:', 'https:'], secret: true })),
  /** How long events are kept. */
  retentionMs: durationMs('SLUICE_DECISION_LOG_RETENTION', { min: 3_600_000, max: 3_660 * 86_400_000, default: 30 * 86_400_000 }),
  /** YAML or JSON: which abuse is looked for, and what is done about it. Absent: none. */
  abuseFile: optional(text('SLUICE_ABUSE_FILE')),
} as const;

export type DecisionLogConfig = Config<typeof DECISION_LOG_CONFIG>;

/** What the process around it reads as well. */
export const DECISION_LOG_PROCESS_CONFIG = {
  ...DECISION_LOG_CONFIG,
  kafkaBrokers: list(text('SLUICE_KAFKA_BROKERS', { pattern: /^[^\s:]+:\d+$/, expects: 'host:port' })),
  logLevel: oneOf('SLUICE_LOG_LEVEL', LOG_LEVELS, { default: 'info' }),
} as const;

export type DecisionLogProcessConfig = Config<typeof DECISION_LOG_PROCESS_CONFIG>;
