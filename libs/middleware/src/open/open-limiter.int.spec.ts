import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Snapshot } from '@sluice/rules';
import { startRedis } from '@sluice/testkit';
import { type ControlPlane, settled, startControlPlane } from '../../../snapshot-client/test/control-plane.js';
import { startDecisionService } from '../../test/decision-service.js';
import { openLimiter } from './open-limiter.js';
import type { InProcessLimiter, InProcessOptions, LimiterProblem } from './open-limiter-options.js';

const BY_IP = { ip: '192.0.2.1' };

function rulesOf(version: number, limit: number): Snapshot {
  return { version, plans: [], overrides: [], rules: [{ rule_id: 'per-ip', version, limit, window_seconds: 60, count_by: ['ip'], algorithm: 'fixed_window' }] };
}

describe('openLimiter in process', () => {
  let plane: ControlPlane;
  const opened: InProcessLimiter[] = [];
  let problems: LimiterProblem[] = [];

  async function open(over: Partial<InProcessOptions> = {}): Promise<InProcessLimiter> {
    const limiter = await openLimiter({ rules: { adminUrl: plane.url, token: 'node-token', pollMs: 50 }, onProblem: (problem) => problems.push(problem), ...over });
    opened.push(limiter);
    return limiter;
  }
  beforeEach(async () => {
    problems = [];
    plane = await startControlPlane(rulesOf(1, 3));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((limiter) => limiter.close()));
    await plane.close();
  });

  it('decides by the rules of the control plane, at once, and follows them', async () => {
    const limiter = await open();
    await limiter.ready;
    expect(plane.seen[0]?.authorization).toBe('Bearer node-token');
    const first = limiter.check(BY_IP);
    expect(first).toMatchObject({ allowed: true, deciding: { limit: 3, remaining: 2 } });
    for (const passes of [true, true, false]) expect((await limiter.check(BY_IP)).allowed).toBe(passes);
    expect((await limiter.limits(BY_IP)).map(({ remaining }) => remaining)).toEqual([0]);
    expect(await limiter.refund(await first)).toBe(1);
    plane.snapshot = rulesOf(2, 10);
    await settled(() => limiter.stats().snapshotVersion === 2);
    expect((await limiter.check(BY_IP)).deciding?.limit).toBe(10);
    expect(limiter.status()).toMatchObject({ ok: true, detail: expect.stringContaining('version 2') });
    expect(problems).toEqual([]);
  });

  it.each([['deny', false], ['allow', true]] as const)('R41 before there are rules it says %s, and that it is the fallback', async (beforeRules, allowed) => {
    plane.answer = (_request, response) => void response.writeHead(503).end();
    const limiter = await open({ beforeRules });
    expect(limiter.status().ok).toBe(false);
    for (const decision of [await limiter.check(BY_IP), await limiter.peek(BY_IP), (await limiter.reserve(BY_IP, 2)).decision]) {
      expect(decision).toMatchObject({ allowed, deciding: { source: 'fallback', policy: 'unreached' } });
    }
    for (const cost of [Number.NaN, -1, 0.5]) {
      expect(() => limiter.check({}, cost)).toThrow(RangeError);
      await expect(limiter.peek({}, cost)).rejects.toThrow(RangeError);
      await expect(limiter.reserve({}, cost)).rejects.toThrow(RangeError);
    }
    await settled(() => problems.length > 0);
    expect(problems[0]).toMatchObject({ kind: 'rules', message: expect.stringContaining('there are none yet') });
    plane.answer = undefined;
    await limiter.ready;
    expect((await limiter.check(BY_IP)).deciding?.policy).toBe('default');
  });

  it('says what to do about a token that is refused, and goes on asking', async () => {
    plane.answer = (_request, response) => void response.writeHead(401).end();
    const limiter = await open();
    await settled(() => problems.length > 0);
    expect(problems[0]?.message).toBe('no answer about the rules, there are none yet: the control plane answered 401; give `rules.token` one that has the role of a node there');
    expect(limiter.status()).toMatchObject({ ok: false, detail: expect.stringContaining('token refused: the control plane answered 401') });
  });

  it('R43 starts from the copy of the rules', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-'));
    const rules = { adminUrl: plane.url, pollMs: 50, copyFile: join(folder, 'rules.json') };
    const first = await open({ rules });
    await first.ready;
    await first.close();
    plane.answer = (_request, response) => void response.writeHead(503).end();
    const second = await open({ rules });
    await second.ready;
    expect((await second.check(BY_IP)).deciding?.limit).toBe(3);
    await rm(folder, { recursive: true });
  });

  it('shares counters in Redis with other processes, gives leases back when it is closed, and says when Redis is away', async () => {
    const redis = await startRedis();
    const [one, two] = [await open({ redisUrl: redis.url }), await open({ redisUrl: [redis.url] })];
    await Promise.all([one.ready, two.ready]);
    const passed = [];
    for (let i = 0; i < 6; i += 1) passed.push((await (i % 2 === 0 ? one : two).check(BY_IP)).allowed);
    expect(passed).toEqual([true, true, true, false, false, false]);
    await one.close();
    await redis.kill();
    await settled(() => two.status().detail.includes('not connected'));
    expect(two.status().ok).toBe(true);
    expect((await two.check({ ip: '192.0.2.2' })).deciding?.source).toBe('fallback');
    await settled(() => problems.some(({ kind }) => kind === 'store'));
    await redis.stop();
  });

  it('closes once, whoever closes', async () => {
    const limiter = await open();
    await limiter.ready;
    const polls = plane.seen.length;
    await Promise.all([limiter.close(), limiter.close()]);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(plane.seen.length).toBe(polls);
  });

  it('warns where limiters are opened by each request', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    for (let i = 0; i < 12; i += 1) await open();
    expect(warn.mock.calls).toEqual([[expect.stringContaining('open one when the process starts'), { type: 'SluiceWarning', code: 'SLUICE_LIMITERS_PER_REQUEST' }]]);
    warn.mockRestore();
  });
});

describe('openLimiter on the decision service', () => {
  it('asks it, is ready at once and says how it stands', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const service = await startDecisionService();
    const limiter = await openLimiter({ decision: service.url, onFailure: 'deny', timeoutMs: 1_000, failuresToOpen: 1 });
    await limiter.ready;
    expect(await limiter.check(BY_IP)).toMatchObject({ allowed: true, deciding: { ruleId: 'free-default' } });
    expect(limiter.status()).toEqual({ ok: true, detail: 'the decision service answers; 0 of 1 questions not answered, 0 decisions without it' });
    await service.close();
    expect(warn.mock.calls).toEqual([]);
    expect((await limiter.check(BY_IP)).allowed).toBe(false);
    expect(warn.mock.calls).toHaveLength(1);
    warn.mockRestore();
    expect(limiter.status().detail).toMatch(/^degraded/);
    await limiter.close();
  });

  it('does not say that it is well before the service has answered, and asks where nobody does', async () => {
    const service = await startDecisionService();
    const { answer } = service;
    const faults: string[] = [];
    service.answer = (response) => void response.writeHead(503).end();
    const limiter = await openLimiter({ decision: service.url, onFailure: 'allow', timeoutMs: 1_000, onFault: (reason) => faults.push(reason) });
    expect(limiter.status()).toEqual({ ok: false, detail: 'the decision service was not asked yet' });
    await settled(() => limiter.stats().failed === 1);
    expect(limiter.status()).toMatchObject({ ok: false, detail: expect.stringContaining('has not answered yet') });
    service.answer = answer;
    await settled(() => limiter.status().ok);
    expect(service.seen.every(({ body }) => body['peek'] === true)).toBe(true);
    await limiter.close();
    await service.close();
  });
});
