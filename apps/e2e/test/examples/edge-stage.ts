import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request, type RequestOptions } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Rule } from '@sluice/rules';
import { freePort } from '@sluice/testkit';
import { type Stage, startStage } from '../../../decision/test/running-decision.js';
import { ROOT } from '../support/build-apps.js';

const RULES: readonly Rule[] = [
  { rule_id: 'per-key', version: 1, plan: 'free', limit: 3, window_seconds: 2, algorithm: 'fixed_window' },
  { rule_id: 'per-ip', version: 1, count_by: ['ip'], endpoint: 'GET /open', policy: 'ip', limit: 2, window_seconds: 3600 },
  { rule_id: 'dear', version: 1, count_by: ['ip'], endpoint: 'POST /dear', policy: 'dear', limit: 1, window_seconds: 3600 },
  { rule_id: 'slow', version: 1, count_by: ['ip'], endpoint: 'GET /slow', policy: 'slow', limit: 1, burst: 50, window_seconds: 1, algorithm: 'leaky_bucket', shape: true },
];

/** The token that the examples show. */
export const TOKEN = 'decision-token';

/** How long the examples wait for a decision, and what a machine that is busy with other tests may need: else they fail open. */
const TIMES = [
  ['proxy_connect_timeout 100ms', 'proxy_connect_timeout 5s'],
  ['proxy_read_timeout 3s', 'proxy_read_timeout 20s'],
  ['timeout connect 100ms', 'timeout connect 5s'],
  ['timeout server 3s', 'timeout server 20s'],
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
  /** Sends a request of these bytes (latin1), of a client that writes what it likes, and says the status. */
  askRaw(line: string, fields?: readonly string[]): Promise<number>;
  /** How many decisions were made by a rule so far. */
  decisionsBy(rule: string): Promise<number>;
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
  // Not what this service can read is in question.
  const upstream = createServer({ maxHeaderSize: 200_000, insecureHTTPParser: true }, (request, response) => {
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
      const ports: Readonly<Record<string, number>> = { '10080': port, '10081': port, '8081': upstreamPort, '8089': innerPort, '8090': decisionPort };
      const patient = TIMES.reduce((config, [asIs, longer]) => config.replace(asIs, longer), text);
      return patient.replaceAll(/(listen |127\.0\.0\.1:)(\d{4,5})\b/g, (_all: string, before: string, number: string) => `${before}${ports[number] ?? number}`);
    },
    async ask(path, headers = {}, method = 'GET', body) {
      const answer = await send({ port, path, method, headers }, body);
      return { ...answer, got: answer.status === 200 && answer.text !== '' ? (JSON.parse(answer.text) as EdgeAnswer['got']) : {} };
    },
    async askRaw(line, fields = []) {
      const socket = connect(port, '127.0.0.1');
      socket.write([`${line} HTTP/1.1`, 'Host: a', 'Connection: close', ...fields, '', ''].join('\r\n'), 'latin1');
      let text = '';
      for await (const bytes of socket) text += String(bytes);
      return Number(text.split(' ')[1]);
    },
    async decisionsBy(rule) {
      const metrics = await (await fetch(`${decision.decision.url}/metrics`)).text();
      return [...metrics.matchAll(new RegExp(`^sluice_decisions_total\\{rule="${rule}".*\\} (\\d+)$`, 'gm'))].reduce((sum, [, count]) => sum + Number(count), 0);
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
