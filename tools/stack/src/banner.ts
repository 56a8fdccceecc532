import { ruleLines, shownToken as shownTokenOf, type StandaloneConfig } from '@sluice-app/standalone';
import type { Addresses } from './addresses.js';
import { recordsDecisions } from './records-decisions.js';
import type { SeededKey } from './seed-over-http.js';
import type { Servers } from './servers.js';

/** What is shown when everything is ready. */
export interface BannerParts {
  readonly config: StandaloneConfig;
  readonly addresses: Addresses;
  readonly servers: Servers;
  readonly keys: readonly SeededKey[];
  /** A configured one is never printed. */
  readonly token: string;
  /** Entity tag of the rule to try; undefined when it is not there. */
  readonly tag: string | undefined;
}

/** URLs, secrets that are shown this once, and lines to try. */
export function banner({ config, addresses, servers, keys, token, tag }: BannerParts): string {
  const { gateway, ops, admin, decision, decisionGrpc, decisionLog } = addresses;
  const records = recordsDecisions(config);
  const shownToken = config.adminTokens === undefined ? token : shownTokenOf(config.adminTokens);
  const [first] = keys;
  const apiKey = first?.secret ?? `$KEY`;
  const check = `{"domain":"default","descriptors":[{"key":"key_id","value":"${first?.keyId ?? ''}"},{"key":"plan","value":"free"}]}`;
  return `
The stack is running, a process for each service.

  gateway      ${gateway.url}  in front of ${config.upstreamUrl === undefined ? 'an echo service' : new URL(config.upstreamUrl).origin}
  rules API    ${admin.url}/docs
  decisions    ${decision.url}, gRPC for Envoy at ${decisionGrpc.url}
  decision log ${records ? `${decisionLog.url}/docs` : config.stream === 'off' ? 'none: SLUICE_STREAM is off' : 'none: what is decided reaches it over Kafka (SLUICE_KAFKA_BROKERS)'}
  health       ${ops.url}/readyz, ${admin.url}/readyz, ${decision.url}/readyz${records ? `, ${decisionLog.url}/readyz` : ''}

  PostgreSQL   ${config.databaseUrl === undefined ? `${servers.databaseUrl}  (its data goes when the stack stops)` : 'as configured'}
  Redis        ${config.redisUrls === undefined ? servers.redisUrl : 'as configured'}
  Kafka        ${config.kafkaBrokers?.join(', ') ?? 'none: the nodes poll for changes of rules'}${records ? `\n  decisions    ${decisionsPlace(config, servers)}` : ''}

  admin token  ${shownToken}
${keys.map(({ keyId, secret }) => `  API key      ${keyId}: ${secret ?? 'it was there before; its secret was shown when it was made'}`).join('\n')}

Try:
  for i in 1 2 3 4 5 6 7 8; do curl -si -H "X-Api-Key: ${apiKey}" ${gateway.url}/hello | grep -iE '^(HTTP|ratelimit:|retry-after)'; done
  curl -s -H 'Content-Type: application/json' -d '${check}' ${decision.url}/v1/ratelimit:check
${ruleLines({ adminUrl: admin.url, shownToken, tag })}${records ? `\n${explainLine(decisionLog.url, shownToken, first?.keyId)}` : ''}

Ctrl-C stops it.
`;
}

function decisionsPlace({ clickhouseUrl, decisionLogDir }: StandaloneConfig, { decisionsDir }: Servers): string {
  if (decisionsDir !== undefined) return `in ${decisionsDir}  (which goes when the stack stops)`;
  return clickhouseUrl === undefined ? `in ${decisionLogDir ?? ''}` : 'in ClickHouse, as configured';
}

function explainLine(url: string, shownToken: string, keyId = 'demo-free'): string {
  return `  curl -s -H "Authorization: Bearer ${shownToken}" "${url}/v1/decisions:explain?key_id=${keyId}&at=$(date -u +%Y-%m-%dT%H:%M:%SZ)"`;
}
