import { request as httpRequest } from 'node:http';
import { createLogger } from '@sluice/platform';
import { bytesTo } from '../test/bytes-to.js';
import { FREE_RULES, snapshotOf, startStage } from '../test/running-gateway.js';
import type { Stage, StageOptions } from '../test/running-gateway.js';

const IETF_FIELDS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit-policy', 'ratelimit'];

describe('gateway between a control plane and an upstream', () => {
  let stage: Stage;

  async function open(options: StageOptions = {}): Promise<Stage> {
    stage = await startStage(options);
    return stage;
  }
  afterEach(() => stage.close());

  describe('R1 R70 limits by the caller of the key', () => {
    it('8 requests at once for a limit of 5 are 5 x 200 and 3 x 429, each with all fields', async () => {
      const { ask, upstream } = await open();
      const responses = await Promise.all(Array.from({ length: 8 }, () => ask('/hello')));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
      expect(upstream.seen).toHaveLength(5);
      for (const response of responses) {
        for (const name of IETF_FIELDS) expect(response.headers.get(name)).not.toBeNull();
        expect(response.headers.get('x-ratelimit-limit')).toBe('5');
        expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000);
        expect(response.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
      }
      const refused = responses.find(({ status }) => status === 429);
      expect(refused?.headers.get('content-type')).toContain('application/problem+json');
      expect(refused?.headers.get('cache-control')).toBe('no-store');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await refused?.json()).toMatchObject({
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        status: 429,
        'violated-policies': ['default'],
      });
    });

    it('known failure 60: a rule over two routes counts them together', async () => {
      const { ask } = await open({ rules: [{ rule_id: 'all', version: 1, limit: 3, window_seconds: 60 }] });
      const statuses = [];
      for (const path of ['/a', '/b', '/a', '/b', '/a', '/b']) statuses.push((await ask(path)).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
    });

    it('keys, plans and endpoints have their own limits', async () => {
      const { ask } = await open({
        rules: [
          ...FREE_RULES,
          { rule_id: 'items', version: 1, plan: 'free', endpoint: 'GET /v1/items/{id}', policy: 'items', limit: 2, window_seconds: 60 },
          { rule_id: 'pro-default', version: 1, plan: 'pro', limit: 100, window_seconds: 60 },
        ],
      });
      expect((await ask('/v1/items/1')).headers.get('ratelimit-policy')).toBe('"default";q=5;w=60, "items";q=2;w=60');
      expect((await ask('/v1/items/2?x=1')).status).toBe(200);
      expect((await ask('/v1/%69tems/3')).status).toBe(429);
      expect((await ask('/v1/other')).status).toBe(200);
      expect((await ask('/v1/items/4', { key: 'demo-pro' })).headers.get('x-ratelimit-limit')).toBe('100');
    });

    it('known failure 65: a 404 of the upstream is counted and carries the fields too', async () => {
      const { ask, upstream } = await open();
      upstream.answer = (_request, response) => response.writeHead(404).end();
      const response = await ask('/nothing');
      expect(response.status).toBe(404);
      for (const name of IETF_FIELDS) expect(response.headers.get(name)).not.toBeNull();
    });

    it('known failure 73: HEAD counts as GET, a preflight costs nothing and needs no key', async () => {
      const { ask } = await open({ rules: [{ rule_id: 'get', version: 1, endpoint: 'GET /x', limit: 2, window_seconds: 60 }] });
      const preflight = { method: 'OPTIONS', headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' } };
      for (let i = 0; i < 5; i++) expect((await ask('/x', { ...preflight, key: '' })).status).toBe(200);
      expect((await ask('/x', { method: 'OPTIONS' })).headers.get('ratelimit')).toBeNull();
      expect((await ask('/x', { method: 'OPTIONS', key: '' })).status).toBe(401);
      expect((await ask('/x', { method: 'HEAD' })).status).toBe(200);
      expect((await ask('/x')).status).toBe(200);
      expect((await ask('/x', { method: 'HEAD' })).status).toBe(429);
    });

    it('known failure 75: rate limit fields of the upstream do not get through, and a cached answer gets fresh ones', async () => {
      const { ask, upstream } = await open();
      upstream.answer = (_request, response) => {
        response.writeHead(304, { 'X-RateLimit-Limit': '999', 'X-RateLimit-Remaining': '998', RateLimit: '"x";r=998', 'RateLimit-Reset': '7', Age: '60', ETag: '"e"' }).end();
      };
      const response = await ask('/cached');
      expect(response.status).toBe(304);
      expect(response.headers.get('x-ratelimit-limit')).toBe('5');
      expect(response.headers.get('ratelimit')).toMatch(/^"default";r=/);
      expect(response.headers.get('ratelimit-reset')).toBeNull();
      expect(response.headers.get('etag')).toBe('"e"');
    });

    it('R2 a shaper holds requests back instead of refusing them', async () => {
      const { ask } = await open({ rules: [{ rule_id: 'shaped', version: 1, algorithm: 'leaky_bucket', shape: true, limit: 10, burst: 10, window_seconds: 1 }] });
      const started = performance.now();
      const responses = await Promise.all([ask('/a'), ask('/a'), ask('/a')]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(performance.now() - started).toBeGreaterThan(180);
    });

    it('R56 R61 new rules are in force without a restart', async () => {
      const { ask, plane, bus } = await open({ config: { pollMs: 3_600_000 } });
      await Promise.all(Array.from({ length: 5 }, () => ask('/hello')));
      expect((await ask('/hello')).status).toBe(429);
      plane.snapshot = snapshotOf(2, [{ ...FREE_RULES[0], rule_id: 'free-default', window_seconds: 60, version: 2, plan: 'free', limit: 20 }]);
      const started = performance.now();
      let response = await ask('/hello');
      while (response.status === 429 && performance.now() - started < 2000) {
        await bus.publish('sluice.config.v1', '', JSON.stringify({ schema_version: 1, event_id: 'e', version: 2 }));
        response = await ask('/hello');
      }
      expect(response.status).toBe(200);
      expect(response.headers.get('x-ratelimit-limit')).toBe('20');
    });
  });

  describe('R77 identity', () => {
    it.each([
      ['no key', { key: '' }],
      ['an unknown key', { key: 'nobody' }],
      ['a disabled key', { key: 'gone' }],
      ['an identity of its own making', { key: '', headers: { 'Sluice-Key-Id': 'k-pro', 'X-Key-Id': 'k-pro', Authorization: 'Bearer demo-free' } }],
    ])('%s is 401 with a challenge, and reaches nobody', async (_name, init) => {
      const { ask, upstream } = await open();
      const response = await ask('/hello', init);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('ApiKey realm="sluice"');
      expect(await response.json()).toMatchObject({ status: 401, title: 'Unauthorized' });
      expect(upstream.seen).toHaveLength(0);
    });

    it('a disabled key stops within the time to live', async () => {
      const { ask, plane } = await open();
      expect((await ask('/hello')).status).toBe(200);
      plane.keys.set('demo-free', { key_id: 'k-free', tenant_id: 't1', plan: 'free', disabled: true });
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect((await ask('/hello')).status).toBe(401);
    });

    it('R43 without the control plane known keys and rules serve on, an unknown key is 503', async () => {
      const { ask, plane, gateway } = await open();
      expect((await ask('/hello')).status).toBe(200);
      plane.answer = (_request, response) => response.destroy();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect((await ask('/hello')).status).toBe(200);
      const stranger = await ask('/hello', { key: 'demo-pro' });
      expect(stranger.status).toBe(503);
      expect(stranger.headers.get('retry-after')).toBe('1');
      expect(stranger.headers.get('content-type')).toContain('application/problem+json');
      expect((await fetch(`${gateway.opsUrl}/readyz`)).status).toBe(200);
    });

    it('the upstream learns who it is by fields that a client cannot set, and never the key', async () => {
      const { ask, upstream } = await open();
      await ask('/hello', { headers: { 'Sluice-Plan': 'pro', 'Sluice-Admin': '1', Sluice_Key_Id: 'k-pro', X_Forwarded_For: '6.6.6.6', X_Api_Key: 'x', X_Own: 'kept', Forwarded: 'for=6.6.6.6', 'X-Forwarded-For': '6.6.6.6', 'X-Real-IP': '6.6.6.6', 'X-Custom': 'kept' } });
      const headers = upstream.seen[0]?.headers;
      expect(headers).toMatchObject({
        'sluice-key-id': 'k-free',
        'sluice-tenant-id': 't1',
        'sluice-plan': 'free',
        'x-forwarded-for': '127.0.0.1',
        'x-real-ip': '127.0.0.1',
        'x-custom': 'kept',
        x_own: 'kept',
        host: new URL(upstream.url).host,
      });
      for (const name of ['x-api-key', 'sluice-admin', 'forwarded', 'sluice_key_id', 'x_forwarded_for', 'x_api_key']) expect(headers).not.toHaveProperty(name);
    });

    it('counts by the address that a trusted proxy gives, and by the peer otherwise', async () => {
      const rules = [{ rule_id: 'ip', version: 1, count_by: ['ip'], limit: 1, window_seconds: 60 }];
      const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
      const { ask } = await open({ rules, config: { trustedProxies: { hops: 1 } } });
      expect((await ask('/x', from('198.51.100.1'))).status).toBe(200);
      expect((await ask('/x', from('198.51.100.2'))).status).toBe(200);
      expect((await ask('/x', from('6.6.6.6, 198.51.100.2'))).status).toBe(429);
      await stage.close();
      const untrusting = await open({ rules });
      expect((await untrusting.ask('/x', from('198.51.100.1'))).status).toBe(200);
      expect((await untrusting.ask('/x', from('198.51.100.2'))).status).toBe(429);
    });

    it('no key and no token is in the log, whatever goes wrong', async () => {
      const lines: string[] = [];
      const logger = createLogger({ app: 'gateway', level: 'trace', destination: { write: (line: string) => void lines.push(line) } });
      const { ask, upstream, plane } = await open({ logger });
      await ask('/hello');
      await ask('/hello', { key: 'secret-guess' });
      upstream.answer = (request) => request.socket.destroy();
      await ask('/hello');
      plane.answer = (_request, response) => response.writeHead(500).end();
      await ask('/hello', { key: 'secret-stranger' });
      expect(lines.length).toBeGreaterThan(3);
      for (const secret of ['demo-free', 'secret-guess', 'secret-stranger', 'node-token']) expect(lines.join('')).not.toContain(secret);
    });
  });

  describe('as a proxy', () => {
    it('streams bodies both ways, and a large one passes', async () => {
      const { ask, upstream } = await open();
      const megabytes = new Uint8Array(8 * 1024 * 1024).fill(120);
      expect(await (await ask('/up', { method: 'POST', body: megabytes })).json()).toEqual({ method: 'POST', url: '/up', bytes: megabytes.length });
      upstream.answer = (_request, response) => {
        response.write('first');
        setTimeout(() => response.end('last'), 150);
      };
      const reader = (await ask('/down')).body?.getReader();
      const started = performance.now();
      expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
      expect(performance.now() - started).toBeLessThan(120);
      expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('last');
    });

    it.each([
      ['GET', undefined, {}],
      ['POST', '{"a":', { 'Content-Type': 'application/json' }],
      ['PUT', 'text', { 'Content-Type': 'application/x-own' }],
      ['PATCH', 'bytes', {}],
      ['DELETE', undefined, {}],
      ['POST', '', {}],
    ])('passes %s with body %j as it is', async (method, body, headers: Record<string, string>) => {
      const { ask } = await open();
      const response = await ask('/v1/x?y=%20z&y=2', { method, headers, ...(body === undefined ? {} : { body }) });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ method, url: '/v1/x?y=%20z&y=2', bytes: body?.length ?? 0 });
    });

    it('takes what clients send that the connection to the upstream has no use for', async () => {
      const { gateway, upstream } = await open();
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'X-Api-Key': 'demo-free', Connection: 'keep-alive, x-hop', 'X-Hop': '1', 'Keep-Alive': 'timeout=5', TE: 'trailers', Expect: '100-continue', 'Content-Length': '2' };
        const sent = httpRequest(`${gateway.url}/x`, { method: 'POST', headers }, (response) => resolve(response.resume().statusCode));
        sent.on('error', reject).on('continue', () => sent.end('ok'));
      });
      expect(status).toBe(200);
      for (const name of ['x-hop', 'keep-alive', 'te', 'expect']) expect(upstream.seen[0]?.headers).not.toHaveProperty(name);
    });

    it('a path that is long, odd or climbs out goes nowhere it should not', async () => {
      const { ask, upstream } = await open({ rules: [] });
      const long = `/${'p'.repeat(8000)}`;
      expect(await (await ask(long)).json()).toMatchObject({ url: long });
      const raw = (path: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const { hostname, port } = new URL(stage.gateway.url);
          httpRequest({ hostname, port, path, headers: { 'X-Api-Key': 'demo-free' } }, (response) => resolve(response.resume().statusCode)).on('error', reject).end();
        });
      for (const path of ['/../etc', '/a/../../etc', '/%2e%2e/etc', 'http://127.0.0.1:1/x', '/%zz']) expect(await raw(path)).toBe(400);
      expect(await raw('//127.0.0.1:1/x')).toBe(400);
      expect(upstream.seen.every(({ url }) => url === long)).toBe(true);
    });

    it.each([
      ['no HTTP', 400, 'NONSENSE\r\n\r\n'],
      ['a length and chunks', 400, 'POST /x HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
      ['a folded field', 400, 'GET /x HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\nX: a\r\n b\r\n\r\n'],
      ['too large a header', 431, `GET /x HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
      ['an expectation nobody knows', 417, 'GET /x HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\nExpect: wonders\r\n\r\n'],
      ['no Host', 400, 'GET /x HTTP/1.1\r\nX-Api-Key: demo-free\r\n\r\n'],
      ['two Hosts', 400, 'GET /x HTTP/1.1\r\nHost: a\r\nHost: a\r\nX-Api-Key: demo-free\r\n\r\n'],
    ])('%s is %i as problem+json, and goes nowhere', async (_name, status, request) => {
      const { gateway, upstream } = await open();
      const answer = await bytesTo(gateway.url, request);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^{]*content-type: application/problem\\+json`, 'i'));
      expect(upstream.seen).toHaveLength(0);
    });

    it.each(['//x', '//127.0.0.1:1/x', 'http://127.0.0.1:1/x', '*', '/a\\b', '/a%5Cb', '/a/../b', '/a/%2e%2E/b', '/a/..%2fb', '/a#b'])('the target %s is 400 and costs nothing', async (target) => {
      const { ask, gateway, upstream } = await open({ rules: [{ rule_id: 'one', version: 1, limit: 1, window_seconds: 60 }] });
      const answer = await bytesTo(gateway.url, `GET ${target} HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 [^{]*application\/problem\+json/i);
      expect((await ask('/x')).status).toBe(200);
      expect(upstream.seen).toHaveLength(1);
    });

    it('an upload that the client breaks off is no fault of the upstream: one short line at debug', async () => {
      const lines: string[] = [];
      const logger = createLogger({ app: 'gateway', level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
      const { gateway, upstream } = await open({ logger });
      upstream.answer = (request) => void request.on('error', () => undefined).resume();
      const sent = httpRequest(`${gateway.url}/up`, { method: 'POST', headers: { 'X-Api-Key': 'demo-free', 'Content-Length': '100000' } });
      sent.on('error', () => undefined).write('x'.repeat(1000));
      while (upstream.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      sent.destroy();
      for (let tries = 0; tries < 400 && !lines.some((line) => line.includes('broke off')); tries += 1) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(lines.filter((line) => line.includes('broke off'))).toHaveLength(1);
      expect(lines.filter((line) => /"level":"(warn|error)"/.test(line) || line.includes('stack'))).toEqual([]);
      const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
      expect(metrics).not.toMatch(/status="50[0-9]"/);
    });

    it('an upload whose upstream goes away is a fault of the upstream, logged once', async () => {
      const lines: string[] = [];
      const logger = createLogger({ app: 'gateway', level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
      const { ask, upstream } = await open({ logger });
      upstream.answer = (request) => request.socket.destroy();
      await ask('/up', { method: 'POST', body: 'x'.repeat(1000) }).catch(() => undefined);
      expect(lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([expect.stringContaining('the upstream failed')]);
    });

    it('does not repeat a request that the upstream refused', async () => {
      const { ask, upstream } = await open();
      upstream.answer = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end();
      const response = await ask('/busy');
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(upstream.seen).toHaveLength(1);
    });

    it('answers 502 when the upstream cannot be reached or breaks off, 504 when it is late, with the fields', async () => {
      const { ask, upstream } = await open({ config: { upstreamTimeoutMs: 300 } });
      upstream.answer = (request) => request.socket.destroy();
      const broken = await ask('/x');
      expect(broken.status).toBe(502);
      expect(await broken.json()).toMatchObject({ status: 502, detail: 'The service behind the gateway cannot be reached.' });
      upstream.answer = () => undefined;
      const late = await ask('/x');
      expect(late.status).toBe(504);
      expect(late.headers.get('content-type')).toContain('application/problem+json');
      expect(late.headers.get('x-ratelimit-limit')).toBe('5');
      await upstream.close();
      expect((await ask('/x')).status).toBe(502);
    });

    it('known failure 73: a page of an allowed origin can read a refusal', async () => {
      const { ask, upstream } = await open({ config: { corsOrigins: ['https://app.example'] }, rules: [{ rule_id: 'one', version: 1, limit: 1, window_seconds: 60 }] });
      const from = (origin: string) => ({ headers: { Origin: origin } });
      upstream.answer = (_request, response) => response.writeHead(200, { 'Access-Control-Allow-Origin': 'https://app.example', 'Access-Control-Expose-Headers': 'X-Own', Vary: 'Accept-Encoding' }).end();
      const passed = await ask('/x', from('https://app.example'));
      expect(passed.headers.get('vary')).toBe('Accept-Encoding, Origin');
      expect(passed.headers.get('access-control-expose-headers')).toMatch(/^X-Own, X-RateLimit-Limit/);
      const refused = await ask('/x', from('https://app.example'));
      expect(refused.status).toBe(429);
      expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example');
      expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
      expect((await ask('/x', from('https://other.example'))).headers.get('access-control-allow-origin')).toBeNull();
    });

    it('answers 405 to a method that it does not know', async () => {
      const { gateway } = await open();
      const status = await new Promise<number | undefined>((resolve, reject) => {
        httpRequest(`${gateway.url}/x`, { method: 'PROPFIND', headers: { 'X-Api-Key': 'demo-free' } }, (response) => resolve(response.resume().statusCode)).on('error', reject).end();
      });
      expect(status).toBe(405);
    });
  });

  describe('operations', () => {
    it('R93 health, readiness and metrics are on a port of their own', async () => {
      const { ask, gateway, upstream } = await open();
      await ask('/hello');
      expect((await fetch(`${gateway.opsUrl}/healthz`)).status).toBe(200);
      const ready = (await (await fetch(`${gateway.opsUrl}/readyz`)).json()) as { checks: { rules: { detail: string } } };
      expect(ready.checks.rules.detail).toMatch(/^version 1, confirmed \d+ ms ago$/);
      const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
      expect(metrics).toMatch(/sluice_decisions_total\{rule="free-default",outcome="allowed",source="\w+",app="gateway"\} 1/);
      expect(metrics).toMatch(/sluice_gateway_request_duration_seconds_count\{app="gateway",status="200"\} 1/);
      expect(metrics).toContain('sluice_store_clock_offset_seconds');
      await ask('/healthz');
      expect(upstream.seen.at(-1)?.url).toBe('/healthz');
    });

    it('R56 refuses all before the first rules, instead of letting them pass', async () => {
      const { ask, plane, gateway, upstream } = await open({ awaitReady: false, rules: [{ rule_id: 'bad', version: 1, limit: 0, window_seconds: 1 }] });
      expect((await ask('/hello')).status).toBe(503);
      const readyz = await fetch(`${gateway.opsUrl}/readyz`);
      expect(readyz.status).toBe(503);
      expect(upstream.seen).toHaveLength(0);
      plane.snapshot = snapshotOf(2, FREE_RULES);
      await gateway.ready;
      expect((await ask('/hello')).status).toBe(200);
    });

    it('R44 answers what is in flight, then stops', async () => {
      const { ask, upstream, gateway } = await open();
      upstream.answer = (_request, response) => void setTimeout(() => response.end('done'), 200);
      const inFlight = ask('/slow');
      while (upstream.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const closing = gateway.close();
      expect(await (await inFlight).text()).toBe('done');
      await closing;
      await expect(ask('/late')).rejects.toThrow();
    });
  });
});
