import type { Rule } from '@sluice/rules';
import { METHODS, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchDocumented } from '../../test/asking.js';
import { type Stage, type StageOptions, startStage } from '../../test/running-decision.js';

const RULES: readonly Rule[] = [
  { rule_id: 'free-default', version: 3, plan: 'free', limit: 5, window_seconds: 60 },
  { rule_id: 'free-search', version: 1, plan: 'free', endpoint: 'GET /v1/search', policy: 'search', limit: 2, window_seconds: 1, algorithm: 'fixed_window' },
  { rule_id: 'per-ip', version: 1, count_by: ['ip'], endpoint: 'GET /open', policy: 'ip', limit: 3, window_seconds: 60 },
  { rule_id: 'named', version: 1, domain: 'web', descriptors: { rule: 'login' }, count_by: ['ip'], policy: 'login', limit: 1, window_seconds: 60 },
  { rule_id: 'shaped', version: 1, count_by: ['ip'], endpoint: 'GET /shaped', policy: 'shaped', limit: 10, window_seconds: 1, algorithm: 'leaky_bucket', shape: true },
  { rule_id: 'slow', version: 1, count_by: ['ip'], endpoint: 'GET /slow', policy: 'slow', limit: 1, burst: 20, window_seconds: 1, algorithm: 'leaky_bucket', shape: true },
];

type Fields = Record<string, string>;

describe('R74 /v1/authorize', () => {
  let stage: Stage;
  const start = async (options: Partial<StageOptions> = {}): Promise<void> => {
    stage = await startStage({ rules: RULES, ...options });
  };
  afterEach(() => stage.close());

  function ask(uri: string, headers: Fields = {}, query = '', method = 'GET'): Promise<Response> {
    return fetchDocumented(`${stage.decision.url}/v1/authorize${query}`, { headers: { 'X-Original-URI': uri, 'X-Original-Method': method, ...headers } });
  }
  const remaining = async (response: Promise<Response>): Promise<string | null> => (await response).headers.get('x-ratelimit-remaining');

  it('R70 R1 passes with the fields and who the caller is, then refuses with 429', async () => {
    await start();
    const first = await ask('/v1/search?q=1', { 'X-Api-Key': 'demo-free' });
    expect(first.status).toBe(200);
    expect(await first.text()).toBe('');
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'sluice-key-id': 'k1',
      'sluice-tenant-id': 't1',
      'sluice-plan': 'free',
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'cache-control': 'no-store',
    });
    await ask('/v1/search', { 'X-Api-Key': 'demo-free' }, '', 'HEAD');
    const refused = await ask('/v1/%73earch', { 'X-Api-Key': 'demo-free' });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('sluice-status')).toBe('429');
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('sluice-key-id')).toBeNull();
    expect(await refused.json()).toMatchObject({ status: 429, reason: 'quota', 'violated-policies': ['search'], request_id: refused.headers.get('x-request-id') });
    await sleep(Number(refused.headers.get('retry-after')) * 1_000);
    expect((await ask('/v1/search', { 'X-Api-Key': 'demo-free' })).status).toBe(200);
  });

  it('answers any method, and never reads the body', async () => {
    await start();
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const body = ['GET', 'HEAD'].includes(method) ? {} : { body: '{"malformed":', headers: { 'Content-Type': 'application/json' } };
      const response = await fetchDocumented(`${stage.decision.url}/v1/authorize`, { method, ...body, headers: { ...body.headers, 'X-Original-URI': '/x', 'X-Original-Method': 'GET' } });
      expect([method, response.status]).toEqual([method, 200]);
    }
    const large = await fetchDocumented(`${stage.decision.url}/v1/authorize`, { method: 'POST', body: 'x'.repeat(300_000), headers: { 'X-Original-URI': '/x', 'X-Original-Method': 'GET' } });
    expect(large.status).toBe(200);
  });

  /** By node itself: fetch knows few methods, and says what it likes of a body. */
  function askRaw(method: string, headers: Fields, body = ''): Promise<{ status: number | undefined; sluiceStatus: unknown }> {
    const { hostname, port } = new URL(stage.decision.url);
    return new Promise((resolve, reject) => {
      const asked = request({ hostname, port, method, path: '/v1/authorize', agent: false, headers });
      asked.once('response', (response) => resolve({ status: response.resume().statusCode, sluiceStatus: response.headers['sluice-status'] })).once('error', reject);
      asked.end(body);
    });
  }
  const ASKED: Fields = { 'X-Original-URI': '/x', 'X-Original-Method': 'GET' };

  it('answers every method that node reads, and whatever a body is said to be', async () => {
    await start();
    // CONNECT makes a tunnel and is no request for a path.
    for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
      for (const headers of [{}, { 'Content-Length': '1', 'Content-Type': 'odd' }, { 'Transfer-Encoding': 'chunked', 'Content-Type': 'a/b; c' }, { 'Content-Length': '1' }]) {
        const answer = await askRaw(method, { ...ASKED, ...headers }, 'Content-Length' in headers || 'Transfer-Encoding' in headers ? '{' : '');
        expect([method, headers, answer.status]).toEqual([method, headers, 200]);
      }
    }
  });

  it('R74 says Sluice-Status on every refusal, so that a proxy tells it from a service that is away', async () => {
    await start({ config: { tokens: ['decision-token'] } });
    const token = { Authorization: 'Bearer decision-token' };
    expect(await askRaw('GET', ASKED)).toEqual({ status: 401, sluiceStatus: '401' });
    expect(await askRaw('PROPFIND', token)).toEqual({ status: 400, sluiceStatus: '400' });
    expect(await askRaw('GET', { ...token, ...ASKED, 'X-Original-Method': 'A'.repeat(65) })).toEqual({ status: 400, sluiceStatus: '400' });
    expect((await ask('/x', token, '?misspelt=1')).headers.get('sluice-status')).toBe('400');
  });

  it('answers before the body is there', async () => {
    await start();
    const { hostname, port } = new URL(stage.decision.url);
    const socket = connect(Number(port), hostname);
    socket.write('POST /v1/authorize HTTP/1.1\r\nHost: x\r\nX-Original-URI: /x\r\nX-Original-Method: GET\r\nContent-Length: 1000\r\nContent-Type: text/plain\r\n\r\nx');
    const head = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.destroy();
    expect(head).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each([403, 401])('refuses with the status that the proxy understands, %d, and says the true one', async (status) => {
    await start();
    const query = `?rule=login&domain=web&deny_status=${status}`;
    expect((await ask('/login', {}, query)).status).toBe(200);
    const refused = await ask('/login', {}, query);
    expect(refused.status).toBe(status);
    expect(refused.headers.get('sluice-status')).toBe('429');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get('ratelimit')).toMatch(/^"login";r=0;t=\d+$/);
    expect(await refused.json()).toMatchObject({ status: 429, 'violated-policies': ['login'] });
    expect((await ask('/login', {}, '?rule=login&domain=other')).status).toBe(200);
  });

  it('R9 cost 0 only looks, and a cost counts as such', async () => {
    await start();
    const key = { 'X-Api-Key': 'demo-free' };
    for (let times = 0; times < 3; times += 1) expect(await remaining(ask('/x', key, '?cost=0'))).toBe('5');
    expect(await remaining(ask('/x', key, '?cost=4'))).toBe('1');
    const never = await ask('/x', key, '?cost=6');
    expect(never.status).toBe(429);
    expect(never.headers.get('retry-after')).toBeNull();
    expect((await ask('/x', key, '?costs=1')).status).toBe(400);
  });

  it('R14 reserves, and the upstream can settle by the id', async () => {
    await start();
    const key = { 'X-Api-Key': 'demo-free' };
    const reserved = await ask('/x', key, '?reserve=true&cost=4');
    const id = reserved.headers.get('sluice-decision-id');
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(Date.parse(reserved.headers.get('sluice-decision-expires-at') ?? '')).toBeGreaterThan(Date.now());
    expect((await ask('/x', key, '?reserve=true&cost=4')).headers.get('sluice-decision-id')).toBeNull();
    const settled = await fetch(`${stage.decision.url}/v1/ratelimit:settle`, { method: 'POST', body: JSON.stringify({ decision_id: id, cost: 1 }), headers: { 'Content-Type': 'application/json' } });
    expect(settled.status).toBe(200);
    expect(await remaining(ask('/x', key, '?cost=0'))).toBe('4');
  });

  it('holds a shaped request back', async () => {
    await start();
    const startedMs = performance.now();
    const answers = await Promise.all([1, 2, 3].map(() => ask('/shaped')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(performance.now() - startedMs).toBeGreaterThan(180);
  });

  it('refuses at once what would be held back for longer than max_delay_ms, and gives it back', async () => {
    await start();
    expect((await ask('/slow')).status).toBe(200);
    const startedMs = performance.now();
    for (let times = 0; times < 5; times += 1) {
      const refused = await ask('/slow', {}, '?deny_status=403');
      expect([refused.status, refused.headers.get('sluice-status'), refused.headers.get('retry-after')]).toEqual([403, '429', '1']);
      expect(refused.headers.get('ratelimit')).toMatch(/^"slow";r=\d+;t=1$/);
      expect(await refused.json()).toMatchObject({ status: 429, reason: 'quota', 'violated-policies': ['slow'], retry_after_seconds: 1 });
      await ask('/slow', {}, '?reserve=true').then((reserved) => expect([reserved.status, reserved.headers.get('sluice-decision-id')]).toEqual([429, null]));
    }
    expect(performance.now() - startedMs).toBeLessThan(600);
    // As late as the second, not as the twelfth: the others' charge is back.
    const held = await ask('/slow', {}, '?max_delay_ms=1000');
    expect(held.status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThan(500);
    expect(await (await fetch(`${stage.decision.url}/metrics`)).text()).toMatch(/^sluice_decisions_total\{rule="slow",outcome="denied".*\} 10$/m);
  });

  describe('R77 who the client is', () => {
    it('is said by the API key: optional, required or not looked at', async () => {
      await start();
      expect((await ask('/x')).headers.get('sluice-key-id')).toBeNull();
      for (const key of ['nobody', 'gone']) {
        const response = await ask('/x', { 'X-Api-Key': key });
        expect(response.status).toBe(401);
        expect(response.headers.get('sluice-status')).toBe('401');
        expect(response.headers.get('www-authenticate')).toBe('ApiKey realm="sluice"');
        expect(await response.json()).toMatchObject({ type: 'urn:sluice:problem:invalid-api-key' });
        expect((await ask('/x', { 'X-Api-Key': key }, '?keys=none')).status).toBe(200);
      }
      for (const headers of [{}, { 'X-Api-Key': '' }]) {
        const response = await ask('/x', headers, '?keys=required');
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({ type: 'urn:sluice:problem:missing-api-key' });
      }
      expect((await ask('/x', { 'X-Api-Key': 'demo-free' }, '?keys=none')).headers.get('sluice-key-id')).toBeNull();
    });

    it('is 503, in whatever status is understood, while keys cannot be looked up', async () => {
      await start();
      stage.plane.answer = (_request, response) => response.writeHead(500).end();
      const away = await ask('/x', { 'X-Api-Key': 'not-seen-before' }, '?deny_status=403');
      expect(away.status).toBe(403);
      expect(away.headers.get('sluice-status')).toBe('503');
      expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect((await ask('/x', { 'X-Api-Key': 'not-seen-before' })).status).toBe(429);
    });

    it.each<[string, Fields]>([
      ['Sluice-Key-Id', { 'Sluice-Key-Id': 'k9', 'Sluice-Tenant-Id': 't9' }],
      ['X-Key-Id', { 'X-Key-Id': 'k9', 'X-User-Id': 'u9' }],
      ['Sluice-Plan', { 'Sluice-Plan': 'pro', 'X-Plan': 'pro' }],
      ['Authorization', { Authorization: 'Bearer someone-else' }],
      ['X-Forwarded-For', { 'X-Forwarded-For': '9.9.9.9' }],
      ['X-Real-IP', { 'X-Real-IP': '9.9.9.9', Forwarded: 'for=9.9.9.9', 'X-Client-IP': '9.9.9.9', 'CF-Connecting-IP': '9.9.9.9' }],
    ])('is not said by %s', async (_name, headers) => {
      await start();
      const key = { 'X-Api-Key': 'demo-free' };
      expect(await remaining(ask('/x', key))).toBe('4');
      expect(await remaining(ask('/x', { ...key, ...headers }))).toBe('3');
      expect(await remaining(ask('/open'))).toBe('2');
      expect(await remaining(ask('/open', headers))).toBe('1');
    });

    it.each([
      [{ hops: 1 }, 'none', ['2', '1']],
      ['none', { hops: 1 }, ['2', '2']],
    ] as const)('believes as the service is told (%j), whatever the gateway beside it is told (%j)', async (trustedProxies, ownTrustedProxies, left) => {
      await start({ config: { trustedProxies, ownTrustedProxies } });
      const seen = [await remaining(ask('/open', { 'X-Forwarded-For': '1.1.1.1' })), await remaining(ask('/open', { 'X-Forwarded-For': '2.2.2.2' }))];
      expect(seen).toEqual(left);
    });

    it('is addressed by X-Forwarded-For of the asking proxy alone, and not by what stands left of its entry', async () => {
      await start({ config: { trustedProxies: { cidrs: ['127.0.0.0/8'] } } });
      expect(await remaining(ask('/open', { 'X-Forwarded-For': '1.1.1.1' }))).toBe('2');
      expect(await remaining(ask('/open', { 'X-Forwarded-For': '9.9.9.9, 1.1.1.1' }))).toBe('1');
      expect(await remaining(ask('/open', { 'X-Forwarded-For': '127.0.0.1, 1.1.1.1' }))).toBe('0');
      expect((await ask('/open', { 'X-Forwarded-For': 'unknown, ::ffff:1.1.1.1' })).status).toBe(429);
      expect(await remaining(ask('/open', { 'X-Forwarded-For': '2.2.2.2' }))).toBe('2');
    });
  });

  it('known failure 73: a preflight costs nothing and needs no key, any other OPTIONS does', async () => {
    await start();
    const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' };
    for (let times = 0; times < 3; times += 1) {
      const response = await ask('/v1/search', preflight, '?keys=required', 'OPTIONS');
      expect(response.status).toBe(200);
      expect(response.headers.get('x-ratelimit-limit')).toBeNull();
    }
    expect((await ask('/v1/search', {}, '?keys=required', 'OPTIONS')).status).toBe(401);
  });

  it.each<[string, Fields]>([
    ['nothing', {}],
    ['no method', { 'X-Original-URI': '/x' }],
    ['no target', { 'X-Original-Method': 'GET' }],
    ['fields of two kinds', { 'X-Original-URI': '/x', 'X-Original-Method': 'GET', 'X-Forwarded-Uri': '/y' }],
  ])('R77 answers 400 to a proxy that says %s', async (_name, headers) => {
    await start();
    const response = await fetchDocumented(`${stage.decision.url}/v1/authorize`, { headers });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  it('R77 a field that is there twice is no field', async () => {
    await start();
    const { hostname, port } = new URL(stage.decision.url);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ hostname, port, path: '/v1/authorize', headers: [['X-Original-URI', '/v1/search'], ['X-Original-URI', '/cheap'], ['X-Original-Method', 'GET'], ['Host', 'x']].flat() });
      asked.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
      asked.end();
    });
    expect(status).toBe(400);
  });

  it('R93 counts its decisions', async () => {
    await start();
    await ask('/x', { 'X-Api-Key': 'demo-free' });
    const metrics = await (await fetch(`${stage.decision.url}/metrics`)).text();
    expect(metrics).toMatch(/^sluice_decisions_total\{rule="free-default",outcome="allowed".*\} 1$/m);
    expect(metrics).toContain('route="/v1/authorize"');
  });
});
