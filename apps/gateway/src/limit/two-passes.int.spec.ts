import type { Rule } from '@sluice/rules';
import { FREE_RULES, lookUpsOf, snapshotOf, startStage, type Stage, type StageOptions } from '../../test/running-gateway.js';

const COARSE: Rule = { rule_id: 'coarse', version: 1, domain: 'edge', count_by: ['ip'], policy: 'address', limit: 3, window_seconds: 60 };

describe('R76 two passes', () => {
  const stages: Stage[] = [];

  async function open(options: StageOptions): Promise<Stage> {
    const stage = await startStage(options);
    stages.push(stage);
    return stage;
  }
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });
  const statuses = async (asked: readonly Promise<Response>[]): Promise<readonly number[]> => (await Promise.all(asked)).map(({ status }) => status).sort();

  it('the coarse one counts by address before anybody asks whose the key is', async () => {
    const { ask, plane, upstream } = await open({ rules: [COARSE] });
    const before = lookUpsOf(plane);
    const guesses = await Promise.all(Array.from({ length: 6 }, (_, at) => ask('/x', { key: `guess-${at}` })));
    expect(guesses.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429, 429]);
    expect(lookUpsOf(plane) - before).toBe(3);
    expect(upstream.seen).toHaveLength(0);
    const refused = guesses.find(({ status }) => status === 429);
    expect(refused?.headers.get('ratelimit-policy')).toBe('"address";q=3;w=60');
    expect(await refused?.json()).toMatchObject({ 'violated-policies': ['address'] });
    // Whoever guesses sees how many guesses are left.
    expect(guesses.find(({ status }) => status === 401)?.headers.get('x-ratelimit-limit')).toBe('3');
  });

  it('shows the fields of the pass that refuses, and of the tighter one when both allow', async () => {
    const { ask } = await open({ rules: [{ ...COARSE, limit: 7 }, ...FREE_RULES] });
    const shown: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      const { status, headers } = await ask('/x');
      shown.push(`${status} ${headers.get('x-ratelimit-limit')} ${headers.get('x-ratelimit-remaining')}`);
    }
    expect(shown).toEqual(['200 5 4', '200 5 3', '200 5 2', '200 5 1', '200 5 0', '429 5 0', '429 5 0', '429 7 0']);
  });

  it('counts attempts: what a later step refuses is not given back', async () => {
    const { ask } = await open({ rules: [COARSE, { ...FREE_RULES[0], rule_id: 'free-default', version: 1, plan: 'free', limit: 1, window_seconds: 60 }] });
    expect([(await ask('/x')).status, (await ask('/x')).status, (await ask('/x', { key: '' })).status]).toEqual([200, 429, 401]);
    expect((await ask('/x', { key: 'demo-pro' })).headers.get('ratelimit-policy')).toBe('"address";q=3;w=60');
  });

  it('counts preflights and OPTIONS, which nobody else counts; HEAD as GET', async () => {
    const preflight = { method: 'OPTIONS', headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' }, key: '' };
    const { ask } = await open({ rules: [COARSE] });
    expect(await statuses(Array.from({ length: 5 }, () => ask('/x', preflight)))).toEqual([200, 200, 200, 429, 429]);
    const get = await open({ rules: [{ ...COARSE, endpoint: 'GET /x' }] });
    expect(await statuses([1, 2, 3, 4].map(() => get.ask('/x', { method: 'HEAD' })))).toEqual([200, 200, 200, 429]);
    expect((await get.ask('/x')).status).toBe(429);
    expect((await get.ask('/y')).status).toBe(200);
  });

  it.each(['default', 'address'])('a rule without a domain is for the pass by caller alone, so that no request is counted twice by it; the coarse one of policy %s', async (policy) => {
    const { ask } = await open({ rules: [{ rule_id: 'ip', version: 1, count_by: ['ip'], endpoint: 'GET /x', limit: 2, window_seconds: 60 }, { ...COARSE, policy, limit: 50 }] });
    expect(await statuses([1, 2, 3].map(() => ask('/x')))).toEqual([200, 200, 429]);
  });

  it('a domain of another name can be the coarse one', async () => {
    const { ask } = await open({ rules: [{ ...COARSE, domain: 'front' }], config: { edgeDomain: 'front' } });
    expect(await statuses([1, 2, 3, 4].map(() => ask('/x')))).toEqual([200, 200, 200, 429]);
  });

  it('R58 a coarse rule in shadow refuses nobody, and is counted', async () => {
    const { ask, gateway } = await open({ rules: [{ ...COARSE, mode: 'shadow', limit: 1 }] });
    expect(await statuses([1, 2, 3].map(() => ask('/x')))).toEqual([200, 200, 200]);
    const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/sluice_shadow\w*_total\{[^}]*rule="coarse"[^}]*\} [12]/);
  });

  it('R56 new coarse rules are in force without a restart', async () => {
    const { ask, plane } = await open({ rules: FREE_RULES });
    expect((await ask('/x')).headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
    plane.snapshot = snapshotOf(2, [{ ...COARSE, limit: 1 }]);
    for (let tries = 0; tries < 100 && (await ask('/x', { key: '' })).status !== 429; tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await ask('/x')).status).toBe(429);
  });
});
