import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { ALLOWED, type DecisionService, json, startDecisionService } from '../../test/decision-service.js';
import { chosenHeaders } from '../skin/chosen-headers.js';
import { RemoteDecider } from './remote-decider.js';
import type { RemoteDeciderOptions } from './remote-options.js';

/** Of another process: a server that is stopped as soon as it has said its port. */
const LISTEN_AND_STOP = `const server = require('node:net').createServer(); server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;

const ATTRIBUTES = { key_id: 'k1', plan: 'free', user_id: undefined };

describe('the decision service as a decider', () => {
  let service: DecisionService;
  let decider: RemoteDecider | undefined;
  let faults: string[] = [];

  function decide(over: Partial<RemoteDeciderOptions> = {}): RemoteDecider {
    decider = new RemoteDecider({ url: service.url, onFailure: 'allow', timeoutMs: 1_000, onFault: (reason) => faults.push(reason), ...over });
    return decider;
  }
  beforeEach(async () => {
    faults = [];
    service = await startDecisionService();
  });
  afterEach(async () => {
    await decider?.close();
    await service.close();
  });

  it('R72 asks for each attribute that is there, and has the whole decision back', async () => {
    const decision = await decide({ token: 'secret-token' }).check(ATTRIBUTES, 2);
    expect(service.seen).toEqual([
      {
        url: '/v1/ratelimit:check',
        authorization: 'Bearer secret-token',
        body: { domain: 'default', descriptors: [{ key: 'key_id', value: 'k1' }, { key: 'plan', value: 'free' }], cost: 2 },
      },
    ]);
    const policy = {
      policy: 'default',
      ruleId: 'free-default',
      ruleVersion: 3,
      allowed: true,
      limit: 5,
      windowMs: 500,
      remaining: 4,
      resetMs: 1000,
      retryMs: 0,
      source: 'local',
      reason: 'ok',
      overrideId: undefined,
      delayMs: 0,
      charge: undefined,
    };
    expect(decision).toEqual({
      allowed: true,
      reason: 'ok',
      deciding: policy,
      policies: [policy],
      shadow: [],
      retryAfterMs: undefined,
      delayMs: 0,
      cost: 1,
      nowMs: Date.parse('2026-11-30T12:00:00.500Z'),
      snapshotVersion: 7,
    });
    await decider?.check({ domain: 'shop', ip: '1.2.3.4' });
    expect(service.seen[1]?.body).toEqual({ domain: 'shop', descriptors: [{ key: 'ip', value: '1.2.3.4' }], cost: 1 });
  });

  it('has refusals back, with the wait or without', async () => {
    const refuse = (reason: string, wait: object) => ({ ...ALLOWED, allowed: false, reason, ...wait, policies: [{ ...ALLOWED.policies[0], allowed: false, reason, ...wait }] });
    const asking = decide();
    service.answer = (response) => json(response, 200, refuse('quota', { retry_after_seconds: 7 }));
    expect(await asking.check(ATTRIBUTES)).toMatchObject({ allowed: false, reason: 'quota', retryAfterMs: 7000, deciding: { allowed: false, retryMs: 7000 } });
    service.answer = (response) => json(response, 200, refuse('cost_exceeds_limit', {}));
    expect(await asking.check(ATTRIBUTES)).toMatchObject({ allowed: false, reason: 'cost_exceeds_limit', retryAfterMs: undefined, deciding: { retryMs: -1 } });
    service.answer = (response) => json(response, 200, { ...ALLOWED, delay_ms: 80, reason: 'ok' });
    expect(await asking.check(ATTRIBUTES)).toMatchObject({ allowed: true, delayMs: 80 });
    service.answer = (response) => json(response, 200, { overallCode: 'OK', allowed: true, reason: 'no_rule', delay_ms: 0, cost: 1, source: 'none', snapshot_version: 7, policies: [], shadow: [] });
    expect(await asking.check(ATTRIBUTES)).toMatchObject({ allowed: true, reason: 'no_rule', deciding: undefined, policies: [] });
    expect(asking.stats()).toEqual({ asked: 4, failed: 0, fallback: 0, open: false, answered: true });
  });

  it('R9 R14 gives back by reserving, once; settles by id', async () => {
    const asking = decide();
    service.answer = (response, { url }) =>
      url.endsWith(':check') ? json(response, 200, { ...ALLOWED, decision_id: 'id-1', decision_expires_at: '2026-11-30T12:01:00.000Z' }) : json(response, 200, { status: 'settled', charged: 3, returned: 1, indebted: 0 });
    const decision = await asking.check(ATTRIBUTES, 1, { refundable: true });
    expect(await asking.refund(decision)).toBe(1);
    expect(await asking.refund(decision)).toBe(0);
    expect(await asking.reserve(ATTRIBUTES, 4, { ttlMs: 1_500 })).toMatchObject({ id: 'id-1', expiresAtMs: Date.parse('2026-11-30T12:01:00Z'), decision: { allowed: true } });
    expect(await asking.settle('id-1', 3)).toEqual({ status: 'settled', charged: 3, returned: 1, indebted: 0 });
    expect(service.seen.map(({ url, body: { descriptors: _, domain: __, ...body } }) => [url.slice('/v1/ratelimit:'.length), body])).toEqual([
      ['check', { cost: 1, reserve: true }],
      ['refund', { decision_id: 'id-1' }],
      ['check', { cost: 4, reserve: true, reserve_seconds: 1.5 }],
      ['settle', { decision_id: 'id-1', cost: 3 }],
    ]);
    service.answer = (response) => json(response, 404, { status: 404 });
    expect(await asking.settle('id-1', 3)).toMatchObject({ status: 'unknown' });
    service.answer = (response) => json(response, 503, { status: 503 });
    expect(await asking.settle('id-1', 3)).toMatchObject({ status: 'unavailable' });
    await expect(asking.refund({ ...decision })).rejects.toThrow(RangeError);
  });

  it('peeks where nothing is to be charged', async () => {
    const asking = decide();
    await asking.peek(ATTRIBUTES, 3);
    await asking.check(ATTRIBUTES, 0, { refundable: true });
    expect(service.seen.map(({ body: { cost, peek, reserve } }) => ({ cost, peek, reserve }))).toEqual([{ cost: 3, peek: true }, { cost: 0 }]);
  });

  it.each<[string, (service: DecisionService) => void, RegExp]>([
    ['does not answer in time', (it) => (it.answer = () => undefined), /within 60 ms/],
    ['is broken', (it) => (it.answer = (response) => json(response, 500, {})), /status 500/],
    ['has no rules', (it) => (it.answer = (response) => json(response, 503, {})), /status 503/],
    ['refuses the token', (it) => (it.answer = (response) => json(response, 401, {})), /status 401/],
    ['is another server', (it) => (it.answer = (response) => json(response, 200, { hello: 'world' })), /decides nothing/],
    ['sends no JSON', (it) => (it.answer = (response) => response.end('<html>')), /decides nothing/],
    ['breaks off', (it) => (it.answer = (response) => void response.writeHead(200, { 'Content-Length': '500' }).write('{', () => response.destroy())), /broke off/],
    ['drops connections', (it) => (it.answer = (response) => void response.socket?.destroy()), /UND_ERR_SOCKET|ECONNRESET/],
    ['is a load balancer that says 400', (it) => (it.answer = (response) => response.writeHead(400, { 'Content-Type': 'text/html' }).end('<html>')), /status 400/],
    ['says 400 in JSON that is no problem', (it) => (it.answer = (response) => response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"errors":[{"pointer":"/x"}]}')), /status 400/],
    ['says 400 and not why', (it) => (it.answer = (response) => json(response, 400, { status: 400 })), /status 400/],
    ['names a rule that is not in its list', (it) => (it.answer = (response) => json(response, 200, { ...ALLOWED, rule_id: 'x' })), /decides nothing/],
  ])('R41 R45 a service that %s is a value: allowed or refused as chosen, by the fallback', async (what, breakIt, reason) => {
    breakIt(service);
    for (const onFailure of ['allow', 'deny'] as const) {
      const asking = decide({ timeoutMs: what.startsWith('does not answer') ? 60 : 5_000, onFailure });
      const decision = await asking.check(ATTRIBUTES, 3);
      expect(decision).toMatchObject({ allowed: onFailure === 'allow', cost: 3, reason: onFailure === 'allow' ? 'ok' : 'store_unavailable', deciding: { source: 'fallback' }, policies: [{ source: 'fallback' }] });
      expect(chosenHeaders(decision, 'both')).toEqual(onFailure === 'allow' ? {} : { 'Retry-After': '1', 'Cache-Control': 'no-store' });
      expect(await asking.reserve(ATTRIBUTES, 3)).toMatchObject({ id: undefined, decision: { allowed: onFailure === 'allow' } });
      expect(await asking.refund(decision)).toBe(0);
      await asking.close();
    }
    expect(faults).toHaveLength(4);
    for (const fault of faults) expect(fault).toMatch(reason);
  });

  it.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
    ['an infinite limit', { limit: '1e999' }, {}],
    ['a negative limit', { limit: -1 }, {}],
    ['a broken limit', { limit: 1.5 }, {}],
    ['a limit in words', { limit: 'many' }, {}],
    ['negative permits', { remaining: -5 }, {}],
    ['more permits than numbers hold', { remaining: 1e308 }, {}],
    ['a reset in the past', { reset_after_seconds: -3 }, {}],
    ['a reset at no time', { reset_after_seconds: 1e308 }, {}],
    ['no window', { window_seconds: undefined }, {}],
    ['a negative window', { window_seconds: -1 }, {}],
    ['a negative delay', {}, { delay_ms: -5 }],
    ['a broken cost', {}, { cost: 0.5 }],
    ['a pass that a policy refuses', { allowed: false, reason: 'quota', retry_after_seconds: 1 }, {}],
    ['a refusal without a policy', {}, { allowed: false, reason: 'quota', retry_after_seconds: 1, policies: [], rule_id: undefined, policy: undefined }],
    ['a refusal that no policy makes', {}, { allowed: false, reason: 'quota', retry_after_seconds: 1 }],
    ['a refusal without a wait', { allowed: false, reason: 'quota', reset_after_seconds: 0 }, { allowed: false, reason: 'quota' }],
    ['a refusal for ever', { allowed: false, reason: 'quota', retry_after_seconds: 1 }, { allowed: false, reason: 'quota', retry_after_seconds: 1e308 }],
    ['a wait in the past', { allowed: false, reason: 'quota', retry_after_seconds: 1 }, { allowed: false, reason: 'quota', retry_after_seconds: -3 }],
    ['a wait of a policy in the past', { allowed: false, reason: 'quota', retry_after_seconds: -3 }, { allowed: false, reason: 'quota', retry_after_seconds: 3 }],
  ])('R41 R45 %s is not to be understood', async (_what, ofPolicy, ofAnswer) => {
    const text = JSON.stringify({ ...ALLOWED, policies: [{ ...ALLOWED.policies[0], ...ofPolicy }], ...ofAnswer }).replace('"1e999"', '1e999');
    service.answer = (response) => response.end(text);
    expect(await decide({ onFailure: 'deny' }).check(ATTRIBUTES)).toMatchObject({ allowed: false, reason: 'store_unavailable', deciding: { policy: 'unreached' } });
    expect(faults).toEqual(['an answer that decides nothing (status 200)']);
  });

  it('R41 a settlement that is not to be understood is none', async () => {
    const asking = decide();
    for (const [status, text] of [[200, '{}'], [200, '{"charged":-1,"returned":0,"indebted":0}'], [404, '<html>']] as const) {
      service.answer = (response) => response.writeHead(status).end(text);
      expect(await asking.settle('id-1', 3)).toMatchObject({ status: 'unavailable' });
    }
  });

  it('R41 says once by itself that it decides without the service', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    service.answer = (response) => json(response, 500, {});
    const asking = decide({ onFault: undefined });
    for (let i = 0; i < 3; i += 1) await asking.check(ATTRIBUTES);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/status 500.*pass without a limit/), { type: 'SluiceWarning', code: 'SLUICE_DECISION_SERVICE' }]]);
    warn.mockRestore();
  });

  it('R45 what the service calls malformed, and a cost that is none, are bugs of the caller', async () => {
    const asking = decide();
    service.answer = (response) => json(response, 400, { status: 400, errors: [{ pointer: '/descriptors/0/key', detail: 'must not be empty' }] });
    await expect(asking.check({ '': 'x' })).rejects.toThrow(/RangeError|descriptors\/0\/key must not be empty/);
    for (const cost of [1.5, -1, Number.NaN, 2 ** 53]) await expect(asking.check(ATTRIBUTES, cost)).rejects.toThrow(RangeError);
    await expect(asking.reserve(ATTRIBUTES, 0)).rejects.toThrow(RangeError);
    expect(service.seen).toHaveLength(1);
    expect(asking.stats().failed).toBe(0);
  });

  it('R40 stops waiting after failures in a row; a probe that charges nothing finds the service again', async () => {
    service.answer = () => undefined;
    const asking = decide({ timeoutMs: 40, failuresToOpen: 3, probeMs: 1_500 });
    for (let i = 0; i < 3; i += 1) await asking.check(ATTRIBUTES);
    expect(asking.stats()).toMatchObject({ open: true, failed: 3 });
    const startedMs = performance.now();
    for (let i = 0; i < 200; i += 1) expect((await asking.check(ATTRIBUTES)).deciding?.source).toBe('fallback');
    expect(performance.now() - startedMs).toBeLessThan(1_400);
    expect(service.seen).toHaveLength(3);
    await sleep(1_550);
    await asking.check(ATTRIBUTES);
    await until(() => service.seen.length === 4);
    await sleep(100);
    expect(service.seen.slice(3).map(({ body }) => body['peek'])).toEqual([true]);
    expect(asking.stats().open).toBe(true);
    service.answer = (response) => json(response, 200, ALLOWED);
    await sleep(1_550);
    expect((await asking.check(ATTRIBUTES)).deciding?.source).toBe('fallback');
    await until(() => !asking.stats().open);
    expect((await asking.check(ATTRIBUTES)).deciding?.source).toBe('local');
  });

  it('keeps its connections, and asks once more on a new one where the service had closed one', async () => {
    const asking = decide();
    for (let i = 0; i < 20; i += 1) await asking.check(ATTRIBUTES);
    const kept = service.connections();
    // Known failure 68: what was answered leaves no timer behind.
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBeLessThan(10);
    expect(kept).toBeLessThanOrEqual(2);
    // Without a turn of the loop, in which the client would see the end of the connection.
    service.cut();
    expect((await asking.check(ATTRIBUTES)).deciding?.source).toBe('local');
    expect(service.connections()).toBeGreaterThan(kept);
    expect(faults).toEqual([]);
  });

  it('bounds the questions under way', async () => {
    const held: (() => void)[] = [];
    service.answer = (response) => held.push(() => json(response, 200, ALLOWED));
    const asking = decide({ maxUnderWay: 10 });
    const decisions = Array.from({ length: 30 }, () => asking.check(ATTRIBUTES));
    await until(() => held.length === 10);
    for (const release of held) release();
    const sources = (await Promise.all(decisions)).map(({ deciding }) => deciding?.source);
    expect(sources.filter((source) => source === 'local')).toHaveLength(10);
    expect(sources.filter((source) => source === 'fallback')).toHaveLength(20);
    // That there are too many is no failure of the service.
    expect(asking.stats().open).toBe(false);
  });

  it('R40 bounds what waits for a connection that is not made, though each question is given up in time', async () => {
    // Nobody accepts, and the queue of the kernel is full: connections hang.
    const stopped = spawn(process.execPath, ['-e', LISTEN_AND_STOP], { stdio: ['ignore', 'pipe', 'inherit'] });
    const hangingPort = Number(String((await once(stopped.stdout, 'data'))[0]));
    stopped.kill('SIGSTOP');
    const fillers = Array.from({ length: 8 }, () => connect(hangingPort, '127.0.0.1').on('error', () => undefined));
    await sleep(50);
    const asking = decide({ url: `http://127.0.0.1:${hangingPort}`, timeoutMs: 20, maxUnderWay: 10, failuresToOpen: 1_000_000 });
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 20 }, () => asking.check(ATTRIBUTES)));
    // Without the bound 100 were sent to the pool, which drops them a second later.
    expect(asking.stats()).toMatchObject({ fallback: 200, failed: 200 });
    expect(asking.stats().asked).toBeLessThanOrEqual(30);
    for (const filler of fillers) filler.destroy();
    stopped.kill('SIGKILL');
  });

  it('speaks over a Unix socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-'));
    const local = await startDecisionService(join(folder, 'decision.sock'));
    const asking = decide({ url: local.url });
    expect((await asking.check(ATTRIBUTES)).deciding?.source).toBe('local');
    await asking.close();
    await local.close();
    await rm(folder, { recursive: true });
  });

  it('known failure 31: what clients make too long is asked about all the same', async () => {
    const asking = decide();
    await asking.check({ endpoint: `GET /v1/${'é'.repeat(9_000)}`, key_id: 'k'.repeat(100_000), user_id: 'half \ud800' });
    const [{ body } = { body: {} }] = service.seen;
    const values = new Map((body as { descriptors: { key: string; value: string }[] }).descriptors.map(({ key, value }) => [key, value]));
    expect(values.get('endpoint')).toMatch(/^GET \/v1\/é+/);
    expect(values.get('key_id')).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(values.get('user_id')).toBe('half \ufffd');
    for (const value of values.values()) expect(Buffer.byteLength(value)).toBeLessThanOrEqual(8192);
  });

  it('does not ask after it was closed', async () => {
    const asking = decide({ onFailure: 'deny' });
    await asking.close();
    expect(await asking.check(ATTRIBUTES)).toMatchObject({ allowed: false, reason: 'store_unavailable' });
    expect(service.seen).toEqual([]);
  });

  it.each<[string, object]>([
    ['a file', { url: 'file:///x' }],
    ['a relative socket', { url: 'unix:run/x.sock' }],
    ['a name in the URL', { url: 'http://user:pass@host' }],
    ['no time', { timeoutMs: 0 }],
    ['no choice', { onFailure: 'ask' }],
  ])('does not take %s', (_what, over) => {
    expect(() => new RemoteDecider({ url: service.url, onFailure: 'deny', ...over })).toThrow(RangeError);
  });
});

async function until(condition: () => boolean): Promise<void> {
  const endMs = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`not so in time: ${condition.toString()}`);
    await sleep(5);
  }
}
