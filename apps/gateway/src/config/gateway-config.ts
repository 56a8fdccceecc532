import { type Config, durationMs, flag, integer, list, optional, text, url } from '@sluice/platform';
import { NODE_CONFIG, NODE_PROCESS_CONFIG, TRUSTED_PROXIES } from '@sluice/rules-node';
import { edgeLimit } from './edge-limit.js';

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
  trustedProxies: TRUSTED_PROXIES,
  /** Origins that may read the gateway's own answers from a page, `*` for any; absent: none. */
  corsOrigins: optional(list(text('SLUICE_CORS_ORIGINS', { pattern: /^(\*|https?:\/\/[^/\s]+)$/, expects: '* or an origin such as https://app.example' }))),
  /** Requests of one address, whatever they are, in the memory of this process alone; absent: no such limit (R76). */
  edgeLimit: optional(edgeLimit('SLUICE_EDGE_IP_LIMIT')),
  /** Bits of an IPv6 address that are one client to it. */
  edgeIpv6Prefix: integer('SLUICE_EDGE_IPV6_PREFIX', { min: 16, max: 128, default: 64 }),
  /** The rules of this domain count before anybody asks who the caller is. */
  edgeDomain: text('SLUICE_EDGE_DOMAIN', { default: 'edge', pattern: /^[a-z0-9_.-]{1,64}$/, expects: '1 to 64 lower-case letters, digits, _ . or -' }),
  /** Whether the upstream says what a request cost, in `Sluice-Cost` (R14). */
  upstreamCosts: flag('SLUICE_UPSTREAM_COSTS', { default: false }),
  /** Where callers find their own limits (R71); absent: nowhere. */
  limitsPath: optional(text('SLUICE_LIMITS_PATH', { pattern: /^(?:\/[\w~.-]+)+$/, expects: 'a path such as /.sluice/limits' })),
  /** Frames of WebSocket clients are checked as requests with this attribute `rule`; absent: only the handshake is. */
  wsMessageRule: optional(text('SLUICE_WS_MESSAGE_RULE', { pattern: /^[A-Za-z0-9_.-]{1,64}$/, expects: '1 to 64 letters, digits, _ . or -' })),
  /** Until the fields of a request have arrived; a body has five minutes. */
  headerTimeoutMs: durationMs('SLUICE_HEADER_TIMEOUT', { min: 100, max: 300_000, default: 10_000 }),
  /** A body, or a WebSocket, of which nothing moves for so long is cut off, whoever has stopped. */
  stallTimeoutMs: durationMs('SLUICE_STALL_TIMEOUT', { min: 100, max: 3_600_000, default: 300_000 }),
  ...NODE_CONFIG,
} as const;

export type GatewayConfig = Config<typeof GATEWAY_CONFIG>;

/** What the process around it reads as well. */
export const GATEWAY_PROCESS_CONFIG = { ...GATEWAY_CONFIG, ...NODE_PROCESS_CONFIG } as const;
