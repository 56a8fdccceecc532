import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Rule } from '@sluice/rules';
import { freePort } from '@sluice/testkit';
import { type Stage, startStage } from '../../../decision/test/running-decision.js';
import { ROOT } from '../support/build-apps.js';

const RULES: readonly Rule[] = [
  { rule_id: 'per-key', version: 1, plan: 'free', limit: 3, window_seconds: 2, algorithm: 'fixed_window' },
  { rule_id: 'per-ip', version: 1, count_by: ['ip'], endpoint: 'GET /open', policy: 'ip', limit: 2, window_seconds: 3600 },
  { rule_id: 'dear', version: 1, count_by: ['ip'], endpoint: 'POST /dear', policy: 'dear', limit: 1, window_seconds: 3600 },
];

/** The token that the examples show. */
export const TOKEN = 'decision-token';

/** How long the examples wait for a decision, and what a machine that is busy with other tests may need: else they fail open. */
const TIMES = [
  ['proxy_connect_timeout 100ms', 'proxy_connect_timeout 5s'],
  ['proxy_read_timeout 1s', 'proxy_read_timeout 20s'],
  ['timeout connect 100ms', 'timeout connect 5s'],
  ['timeout server 1s', 'timeout server 20s'],
  ['timeout_ms = 1000', 'timeout_ms = 20000'],
] as const;

/** What a proxy of the examples stands between: a decision service, and something to protect that answers with the fields that it got. */
export interface EdgeStage {
  /** For the proxy to listen on. */
  readonly port: number;
  readonly url: string;
  readonly decision: Stage;
  readonly decisionPort: number;
  /** How many requests came through. */
  readonly served: number;
  /** A file of an example, with the ports of this stage in place of those that it names, and with more time. */
  example(path: string): string;
  ask(path: string, headers?: Readonly<Record<string, string>>, method?: string, body?: string): Promise<EdgeAnswer>;
  close(): Promise<void>;
}

export interface EdgeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What the service behind got; empty for an answer of the proxy's own. */
  readonly got: IncomingHttpHeaders & { readonly body?: string };
}

/** Not by `fetch`, which would send another spelling of the path. */
function send(options: RequestOptions, body: string | undefined): Promise<Omit<EdgeAnswer, 'got'>> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', agent: false, ...options });
    sent.once('error', reject);
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])), text }));
    });
    sent.end(body);
  });
}

export async function startEdgeStage(): Promise<EdgeStage> {
  const [port, decisionPort, innerPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const decision = await startStage({ rules: RULES, config: { port: decisionPort, tokens: [TOKEN], trustedProxies: { hops: 1 } } });
  let served = 0;
  const upstream = createServer((request, response) => {
    served += 1;
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => response.end(JSON.stringify({ ...request.headers, body })));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const upstreamPort = (upstream.address() as AddressInfo).port;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    decision,
    decisionPort,
    get served() {
      return served;
    },
    example(path) {
      const text = readFileSync(join(ROOT, 'examples', path), 'utf8');
      const ports: Readonly<Record<string, number>> = { '8080': port, '8081': upstreamPort, '8089': innerPort, '8090': decisionPort };
      const patient = TIMES.reduce((config, [asIs, longer]) => config.replace(asIs, longer), text);
      return patient.replaceAll(/(listen |127\.0\.0\.1:)(80\d\d)\b/g, (_all: string, before: string, number: string) => `${before}${ports[number] ?? number}`);
    },
    async ask(path, headers = {}, method = 'GET', body) {
      const answer = await send({ port, path, method, headers }, body);
      return { ...answer, got: answer.status === 200 && answer.text !== '' ? (JSON.parse(answer.text) as EdgeAnswer['got']) : {} };
    },
    async close() {
      await decision.close().catch(() => undefined);
      await new Promise((resolve) => {
        upstream.close(resolve);
        upstream.closeAllConnections();
      });
    },
  };
}
