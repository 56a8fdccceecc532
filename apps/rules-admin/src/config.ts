import { type Config, durationMs, flag, integer, list, loadConfig, LOG_LEVELS, oneOf, optional, text, url } from '@sluice/platform';

/** The variables that rules-admin reads. */
export const RULES_ADMIN_VARIABLES = {
  databaseUrl: url('SLUICE_DATABASE_URL', { protocols: ['postgres:', 'postgresql:'], secret: true }),
  /** One bearer token, or several during a rotation. */
  adminTokens: list(text('SLUICE_ADMIN_TOKEN', { secret: true, pattern: /^[\x21-\x2b\x2d-\x7e]{8,512}$/, expects: 'a token of 8 to 512 visible ASCII characters without a comma' })),
  host: text('SLUICE_ADMIN_HOST', { default: '0.0.0.0' }),
  port: integer('SLUICE_ADMIN_PORT', { min: 0, max: 65_535, default: 3000 }),
  migrateOnStart: flag('SLUICE_MIGRATE_ON_START', { default: true }),
  kafkaBrokers: optional(list(text('SLUICE_KAFKA_BROKERS', { pattern: /^[^\s:,]+:\d{1,5}$/, expects: 'host:port' }))),
  /** Where nodes keep their counters, so that explanations can look at them; a comma list is a cluster. */
  redisUrls: optional(list(url('SLUICE_REDIS_URL', { protocols: ['redis:', 'rediss:'], secret: true }))),
  idempotencyTtlMs: durationMs('SLUICE_IDEMPOTENCY_TTL', { min: 60_000, max: 30 * 24 * 60 * 60 * 1000, default: 24 * 60 * 60 * 1000 }),
  logLevel: oneOf('SLUICE_LOG_LEVEL', LOG_LEVELS, { default: 'info' }),
} as const;

/** A token that opens the API. */
export interface AdminToken {
  readonly token: string;
  /** Accepted from this machine alone: for well-known development tokens. */
  readonly loopbackOnly: boolean;
}

/** What rules-admin is made with, whatever it comes from. */
export interface RulesAdminConfig {
  readonly databaseUrl: string;
  /** At least one. */
  readonly tokens: readonly AdminToken[];
  readonly migrateOnStart: boolean;
  /** How long the answer to an Idempotency-Key is kept; default 24 h. */
  readonly idempotencyTtlMs?: number;
  /** Where nodes keep their counters; absent: explanations come without. */
  readonly redisUrls?: readonly string[] | undefined;
  readonly host: string;
  readonly port: number;
}

/** The whole environment of the process. */
export function loadEnvironment(env: Readonly<Record<string, string | undefined>>): Config<typeof RULES_ADMIN_VARIABLES> {
  return loadConfig(RULES_ADMIN_VARIABLES, env);
}

/** The part of the environment that the app itself takes. */
export function rulesAdminConfig({ databaseUrl, adminTokens, migrateOnStart, redisUrls, idempotencyTtlMs, host, port }: Config<typeof RULES_ADMIN_VARIABLES>): RulesAdminConfig {
  return { databaseUrl, tokens: adminTokens.map((token) => ({ token, loopbackOnly: false })), migrateOnStart, redisUrls, idempotencyTtlMs, host, port };
}
