import type { Rule } from '@sluice/rules';
import { type EnvoyServer, findEnvoy, freePort, type RedisServer, startEnvoy, startRedis } from '@sluice/testkit';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ControlPlane, startControlPlane } from '../../../../libs/snapshot-client/test/control-plane.js';
import { type Answer, ask } from '../support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps, ROOT } from '../support/build-apps.js';
import { endPrograms, type Program, startProgram } from '../support/program.js';
import { until } from '../support/until.js';

const TIMEOUT_MS = 60_000;
const TOKENS_AN_ANSWER = 4;

/** Nothing of an hour ends within the test, but for the one limit that shall. */
const HOURLY = { version: 1, domain: 'api', window_seconds: 3600, count_by: ['ip'], policy: 'per-ip', consistency: 'exact' } as const;
const RULES: readonly Rule[] = [
  { ...HOURLY, rule_id: 'hello', endpoint: 'GET /hello', limit: 3 },
  { ...HOURLY, rule_id: 'soon', endpoint: 'GET /soon', limit: 1, window_seconds: 1.5, algorithm: 'sliding_log' },
  { ...HOURLY, rule_id: 'both', endpoint: 'GET /both', limit: 10 },
  { ...HOURLY, rule_id: 'per-key', count_by: ['key_id'], policy: 'per-key', limit: 2 },
  { ...HOURLY, rule_id: 'reports', endpoint: 'GET /reports', limit: 12 },
  { ...HOURLY, rule_id: 'spoof', endpoint: 'GET /spoof', limit: 2 },
  { ...HOURLY, rule_id: 'hops', endpoint: 'GET /hops', limit: 2 },
  { ...HOURLY, rule_id: 'tokens', descriptors: { usage: 'tokens' }, policy: 'tokens', limit: 10, algorithm: 'fixed_window', charge_denied: true },
];

/** A partner whose limit is in the metadata of the request, as an authenticating filter would put it there. */
const PARTNER_ROUTE = `
              - match: { path: /partner }
                route: { cluster: upstream }
                typed_per_filter_config:
                  envoy.filters.http.ratelimit:
                    "@type": type.googleapis.com/envoy.extensions.filters.http.ratelimit.v3.RateLimitPerRoute
                    rate_limits:
                    - actions: [{ generic_key: { descriptor_key: partner, descriptor_value: acme } }]
                      limit: { dynamic_metadata: { metadata_key: { key: partners, path: [{ key: limit }] } } }
`;
const KEY_ACTION = '                    - request_headers: { header_name: x-api-key, descriptor_key: key_id }';
const PARTNER_FILTER = `
          - name: envoy.filters.http.set_metadata
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.set_metadata.v3.Config
              metadata: [{ metadata_namespace: partners, value: { limit: { requests_per_unit: 2, unit: HOUR } } }]
`;

// The one server that may be missing: Debian has no package of it.
const ifEnvoy = (await findEnvoy()) === undefined ? describe.skip : describe;

interface Edge {
  readonly url: string;
  readonly envoy: EnvoyServer;
}

ifEnvoy('R73 a real Envoy in front, by examples/envoy (skipped where Envoy cannot be had)', () => {
  let redis: RedisServer;
  let plane: ControlPlane;
  let upstream: Server;
  let decision: Program;
  let decisionGrpcPort: number;
  /** As the example has it. */
  let edge: Edge;
  /** The same behind one more proxy of ours, refusing when nobody answers. */
  let inner: Edge;
  const closers: (() => Promise<unknown>)[] = [];

  async function startEdge(change: (config: string) => string = (config) => config): Promise<Edge> {
    const port = await freePort();
    const example = readFileSync(join(ROOT, 'examples/envoy/envoy.yaml'), 'utf8');
    const placed = replaced(example, [
      ['address: 0.0.0.0, port_value: 10000', `address: 127.0.0.1, port_value: ${port}`],
      ['port_value: 8000', `port_value: ${(upstream.address() as AddressInfo).port}`],
      ['port_value: 8091', `port_value: ${decisionGrpcPort}`],
      // A machine that is busy with other tests is no service that is away.
      ['timeout: 0.1s', 'timeout: 10s'],
    ]);
    const envoy = await startEnvoy({ config: change(placed) });
    if (envoy === undefined) throw new Error('Envoy was found and is not there');
    closers.push(() => envoy.stop());
    return { url: `http://127.0.0.1:${port}`, envoy };
  }

  beforeAll(async () => {
    await buildApps();
    upstream = createServer({ maxHeaderSize: 131_072 }, (request, response) => {
      response.setHeader('x-tokens', TOKENS_AN_ANSWER);
      response.end(`upstream saw ${String(request.url)}`);
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => upstream.close(resolve).closeAllConnections()));
    [redis, plane] = await Promise.all([startRedis(), startControlPlane({ version: 1, plans: [], rules: RULES, overrides: [] })]);
    closers.push(() => redis.stop(), () => plane.close());
    const decisionPort = await freePort();
    decisionGrpcPort = await freePort();
    decision = startProgram('decision', {
      SLUICE_REDIS_URL: redis.url,
      SLUICE_ADMIN_URL: plane.url,
      SLUICE_ADMIN_TOKEN: 'node-token-of-the-story',
      SLUICE_DECISION_HOST: '127.0.0.1',
      SLUICE_DECISION_PORT: String(decisionPort),
      SLUICE_DECISION_GRPC_PORT: String(decisionGrpcPort),
      SLUICE_DECISION_RLS_HEADERS: 'ietf',
      SLUICE_LOG_LEVEL: 'warn',
    });
    await until(async () => (await ask(`http://127.0.0.1:${decisionPort}/readyz`)).status === 200, 30_000).catch((error: unknown) => {
      throw new Error(`the decision service is not ready:\n${decision.output}`, { cause: error });
    });
    [edge, inner] = await Promise.all([
      startEdge((config) =>
        replaced(config, [
          // Twice, so that a long one is more than 64 KiB in all.
          [KEY_ACTION, `${KEY_ACTION}\n${KEY_ACTION.replace('key_id', 'same_key')}`],
          ['\n              - match: { prefix: / }', `${PARTNER_ROUTE}              - match: { prefix: / }`],
          ['\n          - name: envoy.filters.http.ratelimit\n', `${PARTNER_FILTER}          - name: envoy.filters.http.ratelimit\n`],
        ]),
      ),
      startEdge((config) =>
        replaced(config, [
          ['xff_num_trusted_hops: 0', 'xff_num_trusted_hops: 1'],
          ['failure_mode_deny: false', 'failure_mode_deny: true'],
        ]),
      ),
    ]);
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    for (const close of closers.reverse()) await close();
  }, TIMEOUT_MS);

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => ask(`${edge.url}${path}`, { headers });

  async function statuses(count: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<number[]> {
    const seen = [];
    for (let at = 0; at < count; at += 1) seen.push((await get(path, headers)).status);
    return seen;
  }

  it('finds the service healthy', async () => {
    const checks = (): Promise<Readonly<Record<string, number>>> => edge.envoy.stats(/^cluster\.sluice\.health_check\.(success|failure)$/);
    await until(async () => ((await checks())['cluster.sluice.health_check.success'] ?? 0) > 0);
    expect(await checks()).toMatchObject({ 'cluster.sluice.health_check.failure': 0 });
  }, TIMEOUT_MS);

  it("R70 limits a client with 429, our fields, our body and Envoy's own fields beside them", async () => {
    const first = await get('/hello');
    expect([first.status, first.text]).toEqual([200, 'upstream saw /hello']);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"per-ip";q=3;w=3600',
      ratelimit: expect.stringMatching(/^"per-ip";r=2;t=\d+$/),
      'x-ratelimit-limit': '3, 3;w=3600;name="per-ip"',
      'x-ratelimit-remaining': '2',
    });
    expect(await statuses(2, '/hello')).toEqual([200, 200]);
    const refused = await get('/hello');
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'ratelimit-policy': '"per-ip";q=3;w=3600',
      'x-ratelimit-limit': '3, 3;w=3600;name="per-ip"',
      'x-ratelimit-remaining': '0',
      'x-envoy-ratelimited': 'true',
    });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(Number(refused.headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(seconds);
    expect(refused.json()).toMatchObject({ title: 'Too Many Requests', status: 429, 'violated-policies': ['per-ip'], reason: 'quota', retry_after_seconds: seconds });
  }, TIMEOUT_MS);

  it('R70 serves a client that waits Retry-After', async () => {
    expect((await get('/soon')).status).toBe(200);
    const refused = await get('/soon');
    expect(refused.status).toBe(429);
    await sleep(Number(refused.headers['retry-after']) * 1000);
    expect((await get('/soon')).status).toBe(200);
  }, TIMEOUT_MS);

  it('R8 charges several descriptors all or none', async () => {
    expect(await statuses(5, '/both', { 'x-api-key': 'one' })).toEqual([200, 200, 429, 429, 429]);
    const other = await get('/both', { 'x-api-key': 'two' });
    expect(other.status).toBe(200);
    // Ten by address, less two, less this one: the refused ones cost nothing.
    expect(other.headers['x-ratelimit-limit']).toBe('2, 10;w=3600;name="per-ip", 2;w=3600;name="per-key"');
    expect((await get('/both')).headers['x-ratelimit-remaining']).toBe('6');
  }, TIMEOUT_MS);

  it('counts the hits_addend of a route', async () => {
    expect(await statuses(3, '/reports')).toEqual([200, 200, 429]);
    expect((await get('/reports')).headers['ratelimit']).toMatch(/r=2;/);
  }, TIMEOUT_MS);

  it('R14 charges when the stream is done, and refuses by a peek from then on', async () => {
    const seen = [];
    for (let at = 0; at < 5; at += 1) {
      const before = await rlsCalls();
      const { status } = await get('/completions');
      seen.push(status);
      // The charge is a second call, behind the answer.
      if (status === 200) await until(async () => (await rlsCalls()) >= before + 2);
    }
    // 4, 8 and 12 of 10: what passes the limit in the end is charged, too.
    expect(seen).toEqual([200, 200, 200, 429, 429]);
  }, TIMEOUT_MS);

  it('takes an override out of dynamic metadata', async () => {
    const first = await get('/partner');
    expect([first.status, first.headers['x-ratelimit-remaining']]).toEqual([200, '1']);
    expect(first.headers['x-ratelimit-limit']).toMatch(/^2, 2;w=3600/);
    expect(await statuses(2, '/partner')).toEqual([200, 429]);
  }, TIMEOUT_MS);

  it('R77 is not fooled by X-Forwarded-For, nor by a field that names the endpoint', async () => {
    const seen = [];
    for (const forged of ['1.2.3.4', '5.6.7.8, 9.9.9.9', '::1']) seen.push((await get('/spoof', { 'x-forwarded-for': forged, 'x-endpoint': 'GET /free' })).status);
    expect(seen).toEqual([200, 200, 429]);
    expect(await statuses(2, '//spoof?page=2')).toEqual([429, 429]);
  }, TIMEOUT_MS);

  it.each([
    ['bytes that are not UTF-8', 'a\xffb'],
    ['50,000 characters', 'k'.repeat(50_000)],
  ])('R77 known failure 31: limits a key of %s, which must not fail the call: Envoy would let it pass', async (_what, key) => {
    expect(await statuses(3, '/unlimited', { 'x-api-key': key })).toEqual([200, 200, 429]);
  }, TIMEOUT_MS);

  it('R77 behind one proxy of ours believes what that one wrote, and nothing to the left of it', async () => {
    const from = async (forwarded: string): Promise<number> => (await ask(`${inner.url}/hops`, { headers: { 'x-forwarded-for': forwarded } })).status;
    expect([await from('1.1.1.1, 10.0.0.1'), await from('2.2.2.2, 10.0.0.1'), await from('3.3.3.3, 10.0.0.1')]).toEqual([200, 200, 429]);
    expect(await from('3.3.3.3, 10.0.0.2')).toBe(200);
  }, TIMEOUT_MS);

  it('R41 without the service lets requests through or refuses them, as failure_mode_deny says', async () => {
    expect((await get('/hello')).status).toBe(429);
    await decision.end('SIGKILL');
    await until(async () => (await get('/hello')).status === 200);
    expect((await get('/hello')).headers).not.toHaveProperty('ratelimit');
    await until(async () => (await ask(`${inner.url}/hops`)).status === 500);
    expect(Object.values(await edge.envoy.stats(/^cluster\.upstream\.ratelimit\.failure_mode_allowed$/))[0]).toBeGreaterThan(0);
  }, TIMEOUT_MS);

  /** Calls that the service has answered to this Envoy. */
  async function rlsCalls(): Promise<number> {
    return Object.values(await edge.envoy.stats(/^cluster\.sluice\.upstream_rq_completed$/))[0] ?? 0;
  }
});

/** @throws Error for what is not there: the example changed, and this test with it must */
function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((made, [from, to]) => {
    if (!made.includes(from)) throw new Error(`examples/envoy/envoy.yaml has no ${from.trim()}`);
    return made.replace(from, () => to);
  }, text);
}
