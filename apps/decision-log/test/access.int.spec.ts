import { Writable } from 'node:stream';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@sluice/platform';
import { type Answer, type RunningLog, startLog } from './support/running-log.js';
import { type ScriptedAuthority, startAuthority } from './support/scripted-authority.js';

const TOKENS = { viewer: { role: 'viewer' }, editor: { role: 'editor' }, admin: { role: 'admin' }, node: { role: 'node' }, acme: { role: 'tenant', tenant_id: 'acme' } } as const;
const PATH = '/v1/usage';

let authority: ScriptedAuthority;
let log: RunningLog;
beforeEach(async () => {
  authority = await startAuthority(TOKENS);
  log = await startLog(authority.url, { env: { SLUICE_LOGIN_FAILURES_PER_MINUTE: '1000' } });
});
afterEach(async () => {
  await log.close();
  await authority.close();
});

const askedFor = (token: string): number => authority.asked.filter((each) => each === token).length;

describe('R62 whom the decision log lets in', () => {
  it('every route of the API names its roles, and the document says the same', async () => {
    const guarded = log.service.routes.filter(({ url }) => url.startsWith('/v'));
    expect(guarded.length).toBeGreaterThan(4);
    expect(guarded.filter(({ roles }) => (roles ?? []).length === 0)).toEqual([]);
    const open = log.service.routes.filter(({ roles }) => roles === undefined).map(({ url }) => url);
    expect(open.filter((url) => url !== '/openapi.json' && !url.startsWith('/docs') && !['/healthz', '/readyz', '/metrics'].includes(url))).toEqual([]);
    const { paths } = (await log.get('/openapi.json', null)).body as { paths: Record<string, Record<string, { 'x-sluice-roles'?: string[]; security?: object[] }>> };
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const route = guarded.find(({ method: each, url }) => each === method.toUpperCase() && url.replaceAll('::', ':').replaceAll(/:(\w+)(?:\([^)]*\))?/g, (whole, name: string) => (path.includes(`{${name}}`) ? `{${name}}` : whole)) === path);
        if (path.startsWith('/v')) expect([path, method, route?.roles]).toEqual([path, method, operation['x-sluice-roles']]);
      }
    }
  });

  it.each<[string, string, number]>([
    ['viewer', PATH, 200],
    ['editor', PATH, 200],
    ['admin', PATH, 200],
    ['acme', PATH, 200],
    ['node', PATH, 403],
    ['acme', '/v1/shadow-report?rule_id=x', 403],
    ['viewer', '/v1/shadow-report?rule_id=x', 200],
    ['stranger', PATH, 401],
    ['stranger', '/v1/nothing-here', 404],
  ])('%s at %s: %i', async (token, path, status) => {
    const answer = await log.get(path, token);
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="sluice-decision-log", error="invalid_token"');
    if (status === 403) expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="sluice-decision-log", error="insufficient_scope"');
  });

  it('asks nobody about what is no token', async () => {
    const none = await log.get(PATH, null);
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="sluice-decision-log"']);
    for (const authorization of ['Basic dmlld2VyOg==', 'Bearer', 'Bearer a b', 'Bearer a,b', `Bearer ${'x'.repeat(9_000)}`, 'viewer']) expect((await log.get(PATH, null, { headers: { authorization } })).status).toBe(401);
    expect(authority.asked).toEqual([]);
  });

  it('asks once for a token however many requests it comes with, and not again within 10 s', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    authority.answer((token, response) => void held.then(() => response.end(JSON.stringify({ actor: `token:${token}`, role: 'viewer', tenant_id: null, expires_at: null }))));
    const answers = Array.from({ length: 20 }, () => log.get(PATH, 'slow'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    release();
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await log.get(PATH, 'slow')).status).toBe(200);
    expect(askedFor('slow')).toBe(1);
  });

  it('"no" is asked again after 2 s, "yes" after 10 s or its expiry', async () => {
    for (let at = 0; at < 5; at += 1) expect((await log.get(PATH, 'stranger')).status).toBe(401);
    expect(askedFor('stranger')).toBe(1);
    const expires_at = new Date(Date.now() + 1_500).toISOString();
    authority.answer((_token, response) => void response.end(JSON.stringify({ actor: 'token:brief', role: 'viewer', tenant_id: null, expires_at })));
    expect((await log.get(PATH, 'brief')).status).toBe(200);
    authority.answer((_token, response) => void response.writeHead(401).end());
    expect((await log.get(PATH, 'brief')).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    expect([(await log.get(PATH, 'brief')).status, (await log.get(PATH, 'stranger')).status]).toEqual([401, 401]);
    expect([askedFor('brief'), askedFor('stranger')]).toEqual([2, 2]);
  });

  it('follows no redirect, since the token would go along', async () => {
    const met: string[] = [];
    const elsewhere = createServer((request, response) => {
      met.push(String(request.headers.authorization));
      response.end(JSON.stringify({ actor: 'token:thief', role: 'admin', tenant_id: null, expires_at: null }));
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    authority.answer((_token, response) => void response.writeHead(307, { location: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/v1/tokens:self` }).end());
    const { status } = await log.get(PATH, 'viewer');
    elsewhere.closeAllConnections();
    elsewhere.close();
    expect([status, met]).toEqual([503, []]);
  });

  it.each(['not json', '{"actor":"token:x","role":"admin"}', '[]', ''])('is not fooled by the answer %j', async (text) => {
    authority.answer((_token, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text));
    const answer = await log.get(PATH, 'viewer');
    expect([answer.status, answer.body['type'], answer.headers.get('retry-after')]).toEqual([503, 'urn:sluice:problem:control-plane-unavailable', '2']);
  });

  it('says that a caller is not on this machine, and remembers tokens for this machine alone for nobody else', async () => {
    authority.answer((token, response, request) => {
      const isGood = token !== 'local-only' || request.headers['x-forwarded-for'] === undefined;
      if (isGood) response.end(JSON.stringify({ actor: `token:${token}`, role: 'admin', tenant_id: null, expires_at: null }));
      else response.writeHead(401).end();
    });
    const brought = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    expect((await log.get(PATH, 'local-only')).status).toBe(200);
    expect((await log.get(PATH, 'local-only', brought)).status).toBe(401);
    expect((await log.get(PATH, 'local-only')).status).toBe(200);
    expect((await log.get(PATH, 'any', brought)).status).toBe(200);
    expect(authority.asked).toEqual(['local-only', 'local-only', 'any']);
  });

  it('an idle connection that was closed meanwhile is no outage', async () => {
    let broken = 0;
    authority.answer((token, response, request) => {
      broken += 1;
      if (broken === 1) request.socket.destroy();
      else response.end(JSON.stringify({ actor: `token:${token}`, role: 'viewer', tenant_id: null, expires_at: null }));
    });
    expect((await log.get(PATH, 'viewer')).status).toBe(200);
    expect(broken).toBe(2);
  });
});

describe('R62 while the control plane is away', () => {
  const timed = async (work: () => Promise<Answer>): Promise<[number, number]> => {
    const startMs = performance.now();
    const { status } = await work();
    return [status, performance.now() - startMs];
  };

  it('who was known reads on, changes nothing, and is not kept waiting; who was not is told to come again', async () => {
    expect((await log.get(PATH, 'admin')).status).toBe(200);
    // It hangs, which is worse than being gone.
    authority.answer(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 10_050));
    const [first, waitedMs] = await timed(() => log.get(PATH, 'admin'));
    expect([first, waitedMs < 3_500]).toEqual([200, true]);
    // Over several pauses after each of which it is asked again.
    for (let at = 0; at < 20; at += 1) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const [status, tookMs] = await timed(() => log.get(PATH, 'admin'));
      expect([status, tookMs < 900]).toEqual([200, true]);
    }
    const writes = log.service.routes.filter(({ method, roles }) => method === 'POST' && roles !== undefined);
    expect(writes.length).toBeGreaterThan(0);
    for (const { url } of writes) {
      const refused = await log.get(url.replaceAll(/\/:\w+(?:\([^)]*\))?/g, '/x').replace('::', ':'), 'admin', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
      expect([url, refused.status, refused.body['detail']]).toEqual([url, 503, expect.stringContaining('can read for now')]);
    }
    const unheardOf = await log.get(PATH, 'viewer');
    expect([unheardOf.status, unheardOf.body['type'], unheardOf.headers.get('retry-after')]).toEqual([503, 'urn:sluice:problem:control-plane-unavailable', '2']);
    expect(authority.asked.length).toBeLessThan(12);
  }, 60_000);
});

describe('R62 while the issuer of JWTs is away, and the control plane is not', () => {
  const cannotTell = '{"type":"urn:sluice:problem:issuer-unavailable","title":"Issuer unavailable","status":503}';
  const madeUp = (at: number): string => `made-up.jwt.${at}`;

  it('one who makes up tokens shuts out nobody but himself', async () => {
    const few = await startLog(authority.url, { env: { SLUICE_LOGIN_FAILURES_PER_MINUTE: '5' } });
    authority.answer((token, response) => {
      if (token.startsWith('made-up')) response.writeHead(503, { 'content-type': 'application/problem+json' }).end(cannotTell);
      else response.end(JSON.stringify({ actor: `token:${token}`, role: 'admin', tenant_id: null, expires_at: null }));
    });
    const brought = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await few.get(PATH, 'known')).status).toBe(200);
    const statuses = [];
    for (let at = 0; at < 12; at += 1) {
      statuses.push((await few.get(PATH, madeUp(at))).status);
      // Neither waits for a pause, nor is taken for stale: what changes something is carried out.
      if (at === 0) expect((await few.get(PATH, 'new-here')).status).toBe(200);
      expect((await few.get('/v1/backtests', 'known', brought)).status).toBe(400);
    }
    const asked = authority.asked.filter((token) => token.startsWith('made-up')).length;
    await few.close();
    expect([statuses.at(0), statuses.at(-1)]).toEqual([503, 429]);
    expect(asked).toBeLessThanOrEqual(6);
  });

  it('who was known by a JWT reads on, and changes nothing; asked again after 2 s', async () => {
    expect((await log.get(PATH, 'admin')).status).toBe(200);
    authority.answer((_token, response) => void response.writeHead(503, { 'content-type': 'application/problem+json' }).end(cannotTell));
    await new Promise((resolve) => setTimeout(resolve, 10_050));
    const before = askedFor('admin');
    for (let at = 0; at < 5; at += 1) expect((await log.get(PATH, 'admin')).status).toBe(200);
    expect((await log.get('/v1/backtests', 'admin', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status).toBe(503);
    expect(askedFor('admin') - before).toBe(1);
  }, 30_000);
});

describe('R62 tokens stay out of the log', () => {
  it('whatever becomes of them', async () => {
    let said = '';
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        said += chunk.toString();
        done();
      },
    });
    const other = await startLog(authority.url, { logger: createLogger({ app: 'test', level: 'trace', destination: sink }) });
    for (const token of ['viewer', 'node', 'secret-of-a-stranger']) await other.get(PATH, token);
    authority.answer((_token, response) => void response.writeHead(500).end());
    await other.get(PATH, 'secret-in-an-outage');
    await other.close();
    expect(said).toMatch(/"reason":"unknown_token"[^]*request denied/);
    expect(said).toMatch('the control plane cannot be asked about tokens');
    expect(said).not.toMatch(/secret-of|secret-in|Bearer/);
  });
});
