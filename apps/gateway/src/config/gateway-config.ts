import { parseProxyTrust, type ProxyTrust, trustedProxies } from '@sluice/middleware';
import { type Config, durationMs, integer, list, LOG_LEVELS, oneOf, optional, type Parsed, text, url, variable } from '@sluice/platform';

const token = { secret: true, pattern: /^[\x21-\x7e]{8,}$/, expects: 'a token of at least 8 visible ASCII characters' } as const;

/** What the gateway itself reads; `standalone` gives the same object. */
export const GATEWAY_CONFIG = {
  /** Address to listen on, both ports. */
  host: text('SLUICE_GATEWAY_HOST', { default: '0.0.0.0' }),
  port: integer('SLUICE_GATEWAY_PORT', { min: 0, max: 65_535, default: 8080 }),
  /** `/healthz`, `/readyz` and `/metrics`, away from what clients can reach. */
  opsPort: integer('SLUICE_GATEWAY_OPS_PORT', { min: 0, max: 65_535, default: 9080 }),
  upstreamUrl: url('SLUICE_UPSTREAM_URL', { protocols: ['http:', 'https:'] }),
  /** Until the upstream's answer begins. */
  upstreamTimeoutMs: durationMs('SLUICE_UPSTREAM_TIMEOUT', { min: 1, max: 3_600_000, default: 30_000 }),
  /** Whose X-Forwarded-For is believed: `none`, a number of hops, or networks (R77). */
  trustedProxies: variable<ProxyTrust>('SLUICE_TRUSTED_PROXIES', { default: 'none' }, parseTrust),
  /** Origins that may read the gateway's own answers from a page, `*` for any; absent: none. */
  corsOrigins: optional(list(text('SLUICE_CORS_ORIGINS', { pattern: /^(\*|https?:\/\/[^/\s]+)$/, expects: '* or an origin such as https://app.example' }))),
  adminUrl: url('SLUICE_ADMIN_URL', { protocols: ['http:', 'https:'] }),
  /** The first is sent: the control plane may accept several while they are exchanged. */
  adminTokens: list(text('SLUICE_ADMIN_TOKEN', token)),
  pollMs: durationMs('SLUICE_SNAPSHOT_POLL', { min: 100, max: 3_600_000, default: 30_000 }),
  /** How long what is known of an API key is taken for true: a disabled key stops within it. */
  keyTtlMs: durationMs('SLUICE_KEY_TTL', { min: 100, max: 3_600_000, default: 2_000 }),
  fleetSize: integer('SLUICE_FLEET_SIZE', { min: 1, max: 100_000, default: 1 }),
} as const;

export type GatewayConfig = Config<typeof GATEWAY_CONFIG>;

/** What the process around it reads as well. */
export const GATEWAY_PROCESS_CONFIG = {
  ...GATEWAY_CONFIG,
  redisUrls: list(url('SLUICE_REDIS_URL', { protocols: ['redis:', 'rediss:'] })),
  kafkaBrokers: optional(list(text('SLUICE_KAFKA_BROKERS', { pattern: /^[^\s:]+:\d+$/, expects: 'host:port' }))),
  nodeId: optional(text('SLUICE_NODE_ID', { pattern: /^[A-Za-z0-9_.-]{1,64}$/, expects: '1 to 64 letters, digits, _ . or -' })),
  region: text('SLUICE_REGION', { default: 'local', pattern: /^[a-z0-9-]{1,32}$/, expects: '1 to 32 lower-case letters, digits or -' }),
  logLevel: oneOf('SLUICE_LOG_LEVEL', LOG_LEVELS, { default: 'info' }),
} as const;

function parseTrust(value: string): Parsed<ProxyTrust> {
  try {
    const trust = parseProxyTrust(value);
    trustedProxies(trust);
    return { ok: true, value: trust };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : 'it names no proxies' };
  }
}
