import { jest } from '@jest/globals';
import { RemoteDecider } from '@sluice/middleware';
import { freePort } from '@sluice/testkit';
import { until } from '../support/until.js';
import { can } from './cannot.js';
import { AWAY_RULES } from './rules.js';
import { type Stage, startStage } from './stage.js';
import { type Answer, SURFACES } from './surface.js';
import { expressSurface } from './surfaces/express.js';

jest.setTimeout(60_000);

let stage: Stage;
beforeAll(async () => {
  stage = await startStage(AWAY_RULES);
  for (const name of SURFACES) {
    // With Redis there both rules serve, and nobody speaks of a fallback.
    for (const path of ['/open', '/closed']) expect([name, path, (await stage.surface(name).ask({ key: 'caller', path })).allowed]).toEqual([name, path, true]);
    for (const rule of ['open', 'closed']) expect(await stage.surface(name).fallbacks(rule)).toBe(0);
  }
  await stage.redis.kill();
});
afterAll(() => stage.close());

describe.each(SURFACES)('R41 conformance without Redis: %s', (name) => {
  const ask = (path: string): Promise<Answer> => stage.surface(name).ask({ key: 'caller', path });

  it('fail-open: known failure 25: a rule that says allow serves by the fallback at once, and says so', async () => {
    const before = await stage.surface(name).fallbacks('open');
    const startedMs = performance.now();
    const { allowed, status, fields } = await ask('/open');
    expect([allowed, status]).toEqual([true, 200]);
    expect(performance.now() - startedMs).toBeLessThan(2_500);
    expect(fields['ratelimit-policy']).toBe('"open";q=1000;w=3600');
    expect(await stage.surface(name).fallbacks('open')).toBe(before + 1);
  });

  it('fail-closed: a rule that says deny refuses for that reason, with a wait', async () => {
    const before = await stage.surface(name).fallbacks('closed');
    const { allowed, status, fields, body, violated } = await ask('/closed');
    expect([allowed, body['reason'], violated]).toEqual([false, 'store_unavailable', ['closed']]);
    expect(fields).toMatchObject({ 'retry-after': expect.stringMatching(/^[1-9]\d*$/), 'cache-control': 'no-store' });
    if (can(name, 'status 503')) expect(status).toBe(503);
    if (can(name, 'problem document')) expect(body['type']).toBe('https://iana.org/assignments/http-problem-types#temporary-reduced-capacity');
    expect(await stage.surface(name).fallbacks('closed')).toBe(before + 1);
  });
});

it('R41 conformance without Redis: when it is back every surface goes by it again', async () => {
  await stage.redis.restart();
  for (const name of SURFACES) {
    const surface = stage.surface(name);
    await until(async () => (await surface.ask({ key: 'caller', path: '/closed' })).allowed, 20_000);
    const before = await surface.fallbacks('open');
    expect((await surface.ask({ key: 'caller', path: '/open' })).allowed).toBe(true);
    expect(await surface.fallbacks('open')).toBe(before);
  }
});

describe('R41 conformance without the decision service: Express, asking it', () => {
  it.each(['allow', 'deny'] as const)('%s: known failure 25: each request is decided so, at once', async (onFailure) => {
    const remote = new RemoteDecider({ url: `http://127.0.0.1:${await freePort()}`, onFailure, timeoutMs: 1_000 });
    const ground = { plane: stage.plane, redisUrl: stage.redis.url, trust: 'none', paths: [] } as const;
    const surface = await expressSurface('Express, asking the decision service', remote, ground, () => remote.close());
    try {
      for (let at = 0; at < 10; at += 1) {
        const startedMs = performance.now();
        const { allowed, status, fields, body } = await surface.ask({ key: 'caller', path: '/open' });
        expect(performance.now() - startedMs).toBeLessThan(2_500);
        expect([allowed, status]).toEqual(onFailure === 'allow' ? [true, 200] : [false, 503]);
        // Nobody knows of a limit, and none is stated.
        expect(fields['x-ratelimit-limit']).toBeUndefined();
        if (!allowed) expect([body['reason'], fields['retry-after'], fields['cache-control']]).toEqual(['store_unavailable', '1', 'no-store']);
      }
      expect(remote.stats()).toMatchObject({ fallback: 10, open: true });
    } finally {
      await surface.close();
    }
  });
});
