import { setTimeout as pause } from 'node:timers/promises';
import { startStage, type Stage, type StageOptions } from '../../test/running-gateway.js';

const TEN = [{ rule_id: 'ten', version: 1, limit: 10, window_seconds: 600 }];

describe('R14 what the upstream says that a request cost', () => {
  let stage: Stage;

  async function open(options: StageOptions = {}): Promise<Stage> {
    stage = await startStage({ rules: TEN, ...options });
    return stage;
  }
  afterEach(() => stage.close());

  /** What is left, when it has settled: nobody waits for a settlement. */
  async function left(expected: number): Promise<number> {
    for (let tries = 0; ; tries += 1) {
      const { limits } = (await (await stage.ask('/own/limits')).json()) as { limits: { remaining: number }[] };
      if (limits[0]?.remaining === expected || tries === 100) return limits[0]?.remaining ?? -1;
      await pause(10);
    }
  }
  const config = { upstreamCosts: true, limitsPath: '/own/limits' };

  it('settles the reservation by the field, which is not sent on', async () => {
    const { ask, upstream } = await open({ config });
    upstream.answer = (request, response) => response.writeHead(200, { 'Sluice-Cost': request.url?.slice(1) }).end();
    const first = await ask('/4');
    expect(first.status).toBe(200);
    expect(first.headers.get('sluice-cost')).toBeNull();
    expect(first.headers.get('x-ratelimit-remaining')).toBe('9');
    expect(await left(6)).toBe(6);
    await ask('/0');
    expect(await left(6)).toBe(6);
    // More than is left is debt: the next one is refused.
    await ask('/9');
    expect(await left(0)).toBe(0);
    expect((await ask('/1')).status).toBe(429);
    expect(await (await fetch(`${stage.gateway.opsUrl}/metrics`)).text()).toMatch(/sluice_gateway_costs_total\{outcome="settled",app="gateway"\} 3/);
  });

  it('of an answer without it, and of nonsense, the estimate stands', async () => {
    const { ask, upstream } = await open({ config });
    for (const cost of [undefined, '-1', '1.5', 'much', '', '9999999999999999']) {
      upstream.answer = (_request, response) => response.writeHead(200, cost === undefined ? {} : { 'Sluice-Cost': cost }).end();
      expect((await ask('/x')).headers.get('sluice-cost')).toBeNull();
    }
    expect(await left(4)).toBe(4);
  });

  it('is not heeded unless asked for, nor sent on', async () => {
    const { ask, upstream } = await open({ config: { limitsPath: '/own/limits' } });
    upstream.answer = (_request, response) => response.writeHead(200, { 'Sluice-Cost': '5' }).end();
    expect((await ask('/x')).headers.get('sluice-cost')).toBeNull();
    expect(await left(9)).toBe(9);
  });

  it.each([true, false])('R9 what never reached the upstream is given back, with upstream costs %s', async (upstreamCosts) => {
    const { ask } = await open({ config: { ...config, upstreamCosts, upstreamUrl: 'http://127.0.0.1:1' } });
    for (let at = 0; at < 3; at += 1) expect((await ask('/x')).status).toBe(502);
    expect(await left(10)).toBe(10);
  });

  it.each([true, false])('R9 what the upstream may have worked on stands, however it ended, with upstream costs %s', async (upstreamCosts) => {
    const { ask, upstream } = await open({ config: { ...config, upstreamCosts, upstreamTimeoutMs: 200 } });
    upstream.answer = (request) => request.socket.destroy();
    expect((await ask('/x')).status).toBe(502);
    expect(await left(9)).toBe(9);
    upstream.answer = () => undefined;
    expect((await ask('/x')).status).toBe(504);
    expect(await left(8)).toBe(8);
    // A fault of the upstream's own is an answer.
    upstream.answer = (_request, response) => response.writeHead(503).end();
    expect((await ask('/x')).status).toBe(503);
    // So is one that breaks off in the middle.
    upstream.answer = (_request, response) => {
      response.write('half');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(ask('/x').then((response) => response.text())).rejects.toThrow();
    expect(await left(6)).toBe(6);
  });
});

describe('R71 own limits at the gateway', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  it('answers with the limits of the key, counts nothing and asks nobody behind', async () => {
    stage = await startStage({
      rules: [...TEN, { rule_id: 'items', version: 1, endpoint: 'GET /v1/items/{id}', policy: 'items', limit: 2, window_seconds: 60 }, { rule_id: 'ip', version: 1, count_by: ['ip'], policy: 'ip', limit: 50, window_seconds: 60 }],
      config: { limitsPath: '/own/limits' },
    });
    const { ask, upstream } = stage;
    await ask('/v1/items/1');
    const own = async (query = '') => (await ask(`/own/limits${query}`)).json();
    for (let at = 0; at < 20; at += 1) await own();
    const soon = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await own()).toEqual({
      limits: [
        { scope: 'ten', limit: 10, remaining: 9, reset_at: soon },
        { scope: 'ip', limit: 50, remaining: 49, reset_at: soon },
      ],
    });
    expect(await own(`?endpoint=${encodeURIComponent('GET /v1/items/7')}`)).toMatchObject({ limits: [{ scope: 'ten' }, { scope: 'ip' }, { scope: 'items', limit: 2, remaining: 1 }] });
    expect((await ask('/own/limits?endpoint=')).status).toBe(400);
    expect((await ask('/own/limits', { key: '' })).status).toBe(401);
    expect((await ask('/own/limits', { key: 'nobody' })).status).toBe(401);
    expect(upstream.seen).toHaveLength(1);
    expect((await ask('/own/limits', { method: 'POST' })).status).toBe(200);
    expect(upstream.seen).toHaveLength(2);
    expect((await ask('/own/limits')).headers.get('cache-control')).toBe('no-store');
  });

  it('is nowhere unless a path is named', async () => {
    stage = await startStage();
    await stage.ask('/v1/limits');
    expect(stage.upstream.seen).toHaveLength(1);
  });
});
