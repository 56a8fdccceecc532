/** What is shown when all of it runs. */
export interface BannerParts {
  readonly gatewayUrl: string;
  readonly opsUrl: string;
  readonly adminUrl: string;
  readonly decisionUrl: string;
  readonly upstream: string;
  readonly database: string;
  readonly counters: string;
  readonly bus: string;
  /** A configured token is never printed. */
  readonly token: string;
}

/** URLs, what stands behind them, and three lines to try. */
export function banner(parts: BannerParts): string {
  const { gatewayUrl, opsUrl, adminUrl, decisionUrl, upstream, database, counters, bus, token } = parts;
  return `
Sluice is running.

  gateway      ${gatewayUrl}  in front of ${upstream}
  rules API    ${adminUrl}/docs
  decisions    ${decisionUrl}
  health       ${opsUrl}/readyz, ${opsUrl}/metrics

  PostgreSQL: ${database}; counters: ${counters}; bus: ${bus}

Try:
  for i in 1 2 3 4 5 6 7 8; do curl -si -H 'X-Api-Key: demo-free' ${gatewayUrl}/hello | grep -iE '^(HTTP|ratelimit:|retry-after)'; done
  curl -si -H 'Authorization: Bearer ${token}' ${adminUrl}/v1/rules/free-default
  curl -si -X PUT -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -H 'If-Match: "v1"' -d '{"plan":"free","endpoint":"*","limit":20,"window_seconds":1}' ${adminUrl}/v1/rules/free-default

Ctrl-C stops it; the data is kept.
`;
}
