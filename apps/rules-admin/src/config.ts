import { type Config, ConfigError, type ConfigSpec, durationMs, flag, integer, list, loadConfig, LOG_LEVELS, oneOf, optional, text, url } from '@sluice/platform';
import type { OidcConfig } from './access/oidc/oidc-config.js';
import { oidcConfig, oidcFaults, OIDC_VARIABLES } from './access/oidc/oidc-variables.js';
import type { RoleAlone } from './access/role.js';

const TOKEN_TEXT = { secret: true, pattern: /^[\x21-\x2b\x2d-\x7e]{8,512}$/, expects: 'a token of 8 to 512 visible ASCII characters without a comma' } as const;

/** Who else opens the API, and how often one may try. */
export const ACCESS_VARIABLES = {
  /** Tokens for gateways, of the role `node`. */
  nodeTokens: optional(list(text('SLUICE_NODE_TOKEN', TOKEN_TEXT))),
  ...OIDC_VARIABLES,
  loginFailuresPerMinute: integer('SLUICE_LOGIN_FAILURES_PER_MINUTE', { min: 1, max: 100_000, default: 10 }),
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that rules-admin reads. */
export const RULES_ADMIN_VARIABLES = {
  databaseUrl: url('SLUICE_DATABASE_URL', { protocols: ['postgres:', 'postgresql:'], secret: true }),
  /** One bearer token, or several during a rotation. */
  adminTokens: list(text('SLUICE_ADMIN_TOKEN', TOKEN_TEXT)),
  ...ACCESS_VARIABLES,
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
  /** Default `admin`. */
  readonly role?: RoleAlone;
  /** Accepted from this machine alone: for well-known development tokens. */
  readonly loopbackOnly: boolean;
}

/** What rules-admin is made with, whatever it comes from. */
export interface RulesAdminConfig {
  readonly databaseUrl: string;
  /** At least one of an admin. */
  readonly tokens: readonly AdminToken[];
  /** Whose JWTs open the API as well. */
  readonly oidc?: OidcConfig | undefined;
  /** Tokens that are none from one address in a minute, before they are refused unseen; default 10. */
  readonly loginFailuresPerMinute?: number;
  readonly migrateOnStart: boolean;
  /** How long the answer to an Idempotency-Key is kept; default 24 h. */
  readonly idempotencyTtlMs?: number;
  /** Where nodes keep their counters; absent: explanations come without. */
  readonly redisUrls?: readonly string[] | undefined;
  readonly host: string;
  readonly port: number;
}

/** The whole environment of the process. @throws ConfigError with all faults at once */
export function loadEnvironment(env: Environment): Config<typeof RULES_ADMIN_VARIABLES> {
  return loadWithAccess(RULES_ADMIN_VARIABLES, env);
}

/** Any environment that holds that of this app's access. @throws ConfigError with all faults at once, what lacks of an issuer among them */
export function loadWithAccess<S extends ConfigSpec & typeof ACCESS_VARIABLES>(spec: S, env: Environment): Config<S> {
  const faults = oidcFaults(env);
  try {
    const config = loadConfig(spec, env);
    if (faults.length === 0) return config;
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError([...error.faults, ...faults]) : error;
  }
  throw new ConfigError(faults);
}

/** The part of the environment that the app itself takes. */
export function rulesAdminConfig(environment: Config<typeof RULES_ADMIN_VARIABLES>): RulesAdminConfig {
  const { databaseUrl, adminTokens, migrateOnStart, redisUrls, idempotencyTtlMs, host, port } = environment;
  const { tokens, ...access } = accessConfig(environment);
  return { databaseUrl, tokens: [...tokens, ...adminTokens.map((token) => ({ token, loopbackOnly: false }))], ...access, migrateOnStart, redisUrls, idempotencyTtlMs, host, port };
}

/** What the variables of access say; `tokens` are those of nodes. */
export function accessConfig(environment: Config<typeof ACCESS_VARIABLES>): Pick<RulesAdminConfig, 'tokens' | 'oidc'> & { readonly loginFailuresPerMinute: number } {
  const { nodeTokens = [], loginFailuresPerMinute } = environment;
  return { tokens: nodeTokens.map((token) => ({ token, role: 'node' as const, loopbackOnly: false })), oidc: oidcConfig(environment), loginFailuresPerMinute };
}
