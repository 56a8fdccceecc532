import { ruleLines } from './rule-lines.js';

/** What is shown when all of it runs. */
export interface BannerParts {
  readonly gatewayUrl: string;
  readonly opsUrl: string;
  readonly adminUrl: string;
  readonly decisionUrl: string;
  readonly decisionGrpcUrl: string;
  /** Undefined where nothing is recorded. */
  readonly decisionLogUrl: string | undefined;
  readonly upstream: string;
  readonly database: string;
  readonly counters: string;
  readonly bus: string;
  /** A configured token is never printed; see `shownToken`. */
  readonly token: string;
  /** Entity tag of the rule to try; undefined when it is not there. */
  readonly tag: string | undefined;
}

/** URLs, what stands behind them, and lines to try. */
export function banner(parts: BannerParts): string {
  const { gatewayUrl, opsUrl, adminUrl, decisionUrl, decisionGrpcUrl, decisionLogUrl, upstream, database, counters, bus, token, tag } = parts;
  return `
Sluice is running.

  gateway      ${gatewayUrl}  in front of ${upstream}
  rules API    ${adminUrl}/docs
  decisions    ${decisionUrl}, gRPC for Envoy at ${decisionGrpcUrl}
  decision log ${decisionLogUrl === undefined ? 'none: SLUICE_STREAM is off' : `${decisionLogUrl}/docs`}
  health       ${opsUrl}/readyz, ${opsUrl}/metrics

  PostgreSQL: ${database}; counters: ${counters}; bus: ${bus}

Try:
  for i in 1 2 3 4 5 6 7 8; do curl -si -H 'X-Api-Key: demo-free' ${gatewayUrl}/hello | grep -iE '^(HTTP|ratelimit:|retry-after)'; done
${ruleLines({ adminUrl, shownToken: token, tag })}
${decisionLogUrl === undefined ? '' : `  curl -s -H "Authorization: Bearer ${token}" "${decisionLogUrl}/v1/decisions:explain?key_id=demo-free&at=$(date -u +%Y-%m-%dT%H:%M:%SZ)"\n`}
Ctrl-C stops it; the data is kept.
`;
}
