import { parseProxyTrust, type ProxyTrust, trustedProxies } from '@sluice/middleware';
import { type Config, durationMs, integer, list, optional, type Parsed, text, url, variable } from '@sluice/platform';
import { NODE_CONFIG, NODE_PROCESS_CONFIG } from '@sluice/rules-node';

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
  ...NODE_CONFIG,
} as const;

export type GatewayConfig = Config<typeof GATEWAY_CONFIG>;

/** What the process around it reads as well. */
export const GATEWAY_PROCESS_CONFIG = { ...GATEWAY_CONFIG, ...NODE_PROCESS_CONFIG } as const;

function parseTrust(value: string): Parsed<ProxyTrust> {
  try {
    const trust = parseProxyTrust(value);
    trustedProxies(trust);
    return { ok: true, value: trust };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : 'it names no proxies' };
  }
}
