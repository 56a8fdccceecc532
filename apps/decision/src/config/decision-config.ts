import { HEADER_CHOICES, trustedProxies } from '@sluice/middleware';
import { type Config, integer, list, oneOf, optional, type Parsed, text, variable } from '@sluice/platform';
import { NODE_CONFIG, NODE_PROCESS_CONFIG, TOKEN_TEXT, TRUSTED_PROXIES } from '@sluice/rules-node';
import { PROCESSES } from './processes-variable.js';

/** What the service itself reads; `standalone` gives the same object. */
export const DECISION_CONFIG = {
  /** Address to listen on. */
  host: text('SLUICE_DECISION_HOST', { default: '0.0.0.0' }),
  port: integer('SLUICE_DECISION_PORT', { min: 0, max: 65_535, default: 8090 }),
  /** Port of gRPC, for Envoy. */
  grpcPort: integer('SLUICE_DECISION_GRPC_PORT', { min: 0, max: 65_535, default: 8091 }),
  /** Bearer tokens of the services that ask; several while they are exchanged. Without tokens, askers and client CA only callers on this machine may. */
  tokens: optional(list(text('SLUICE_DECISION_TOKEN', TOKEN_TEXT))),
  /** Networks that may ask without showing anything. */
  askers: optional(list(variable<string>('SLUICE_DECISION_ASKERS', {}, parseNetwork))),
  /** Path of a Unix socket to listen on as well. */
  socketPath: optional(text('SLUICE_DECISION_SOCKET')),
  /** PEM files: the port speaks TLS, and asks for client certificates where there is a CA. They are read anew when they change. */
  tlsCertFile: optional(text('SLUICE_DECISION_TLS_CERT')),
  tlsKeyFile: optional(text('SLUICE_DECISION_TLS_KEY')),
  tlsClientCaFile: optional(text('SLUICE_DECISION_TLS_CLIENT_CA')),
  /** Whose X-Forwarded-For `/v1/authorize` believes: `none`, a number of hops, or networks (R77). */
  trustedProxies: TRUSTED_PROXIES,
  /** The same for this service alone, where a gateway shares its environment; absent: as the other says. */
  ownTrustedProxies: { ...TRUSTED_PROXIES, name: 'SLUICE_DECISION_TRUSTED_PROXIES', fallback: { value: undefined } },
  /** Fields that Envoy adds to responses; `ietf` where it writes `x-ratelimit-*` itself (docs/adr/0027-envoy-semantics.md). */
  rlsHeaders: oneOf('SLUICE_DECISION_RLS_HEADERS', HEADER_CHOICES, { default: 'both' }),
  ...NODE_CONFIG,
} as const;

export type DecisionConfig = Config<typeof DECISION_CONFIG>;

/** What the process around it reads as well. */
export const DECISION_PROCESS_CONFIG = { ...DECISION_CONFIG, ...NODE_PROCESS_CONFIG, processes: PROCESSES } as const;

export type DecisionProcessConfig = Config<typeof DECISION_PROCESS_CONFIG>;

function parseNetwork(value: string): Parsed<string> {
  try {
    trustedProxies({ cidrs: [value] });
    return { ok: true, value };
  } catch {
    return { ok: false, why: `${JSON.stringify(value)} is not a network such as 10.0.0.0/8, or is all of them` };
  }
}
