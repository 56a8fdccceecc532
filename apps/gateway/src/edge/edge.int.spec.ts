import { lookUpsOf, startStage, type Stage, type StageOptions } from '../../test/running-gateway.js';

describe("R76 the edge's own limit by address", () => {
  let stage: Stage;

  async function open(config: NonNullable<StageOptions['config']>, rules: StageOptions['rules'] = []): Promise<Stage> {
    stage = await startStage({ config, rules });
    return stage;
  }
  afterEach(() => stage.close());

  it('refuses before a key is looked up, with the fields, a problem and a wait that suffices', async () => {
    const { ask, plane, upstream, gateway } = await open({ edgeLimit: { limit: 3, windowMs: 3000 } });
    const lookUps = lookUpsOf(plane);
    const guesses = await Promise.all(Array.from({ length: 8 }, (_, at) => ask('/x', { key: `guess-${at}` })));
    expect(guesses.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
    expect(lookUpsOf(plane) - lookUps).toBe(3);
    const refused = guesses.find(({ status }) => status === 429);
    expect(Object.fromEntries(refused?.headers ?? [])).toMatchObject({
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '0',
      'ratelimit-policy': '"edge";q=3;w=3',
      ratelimit: expect.stringMatching(/^"edge";r=0;t=1$/),
      'retry-after': '1',
      'cache-control': 'no-store',
      'content-type': expect.stringContaining('application/problem+json'),
      'x-request-id': expect.any(String),
    });
    expect(await refused?.json()).toMatchObject({ status: 429, 'violated-policies': ['edge'], retry_after_seconds: 1 });
    expect(upstream.seen).toHaveLength(0);
    expect(await (await fetch(`${gateway.opsUrl}/metrics`)).text()).toMatch(/sluice_edge_refusals_total\{app="gateway"\} 5/);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await ask('/x')).status).toBe(200);
  });

  it('counts what is refused for other reasons, preflights and HEAD too', async () => {
    const { ask } = await open({ edgeLimit: { limit: 5, windowMs: 60_000 } });
    const preflight = { method: 'OPTIONS', headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' }, key: '' };
    const statuses = [];
    for (const init of [preflight, { method: 'HEAD' }, { key: '' }, { key: 'gone' }, {}, preflight, { method: 'HEAD' }, {}]) statuses.push((await ask('/x', init)).status);
    expect(statuses).toEqual([200, 200, 401, 401, 200, 429, 429, 429]);
  });

  it('R77 cannot be got round by a made up address, and is by client behind a proxy', async () => {
    const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
    const { ask } = await open({ edgeLimit: { limit: 1, windowMs: 60_000 } });
    expect((await ask('/x', from('198.51.100.1'))).status).toBe(200);
    expect((await ask('/x', from('198.51.100.2'))).status).toBe(429);
    await stage.close();
    const trusting = await open({ edgeLimit: { limit: 1, windowMs: 60_000 }, trustedProxies: { hops: 1 } });
    expect((await trusting.ask('/x', from('198.51.100.1'))).status).toBe(200);
    expect((await trusting.ask('/x', from('198.51.100.2'))).status).toBe(200);
    expect((await trusting.ask('/x', from('6.6.6.6, 198.51.100.2'))).status).toBe(429);
    expect((await trusting.ask('/x', from('2001:db8:0:1::1'))).status).toBe(200);
    expect((await trusting.ask('/x', from('2001:db8:0:1:f::2'))).status).toBe(429);
    expect((await trusting.ask('/x', from('2001:db8:0:2::1'))).status).toBe(200);
  });

  it('known failure 73: a page can read the refusal', async () => {
    const { ask } = await open({ edgeLimit: { limit: 1, windowMs: 60_000 }, corsOrigins: ['https://app.example'] });
    const from = { headers: { Origin: 'https://app.example' } };
    await ask('/x', from);
    const refused = await ask('/x', from);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example');
  });
});
