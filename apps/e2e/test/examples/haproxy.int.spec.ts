import { delayProxy, type ProxyServer, startHaproxy } from '@sluice/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EdgeStage, startEdgeStage, TOKEN } from './edge-stage.js';
import { itHoldsOfEdges } from './expect-edge.js';

describe('R74 a real HAProxy in front, by examples/haproxy', () => {
  let stage: EdgeStage;
  let haproxy: ProxyServer;
  const start = async (env: Readonly<Record<string, string>> = {}, change: (config: string) => string = (config) => config): Promise<void> => {
    stage = await startEdgeStage();
    const files = { 'sluice.lua': stage.example('haproxy/sluice.lua') };
    haproxy = await startHaproxy({ config: change(stage.example('haproxy/haproxy.cfg')), files, port: stage.port, env: { SLUICE_DECISION_TOKEN: TOKEN, ...env } });
  };
  afterEach(async () => {
    await haproxy.stop();
    await stage.close();
  });

  itHoldsOfEdges(async () => {
    await start();
    return stage;
  });

  it('passes all when the decision service is down, or nothing, as it is told', async () => {
    await start();
    await stage.decision.close();
    for (let at = 0; at < 5; at += 1) expect((await stage.ask('/open', { 'Sluice-Key-Id': 'k9' })).got['sluice-key-id']).toBeUndefined();
    await haproxy.stop();
    await stage.close();
    await start({ SLUICE_FAIL: 'closed' });
    expect((await stage.ask('/open')).status).toBe(200);
    await stage.decision.close();
    const refused = await stage.ask('/open');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(stage.served).toBe(1);
  });

  it('passes nothing with a token that is wrong', async () => {
    await start({ SLUICE_DECISION_TOKEN: 'another-token' });
    expect((await stage.ask('/open')).status).toBe(401);
    expect(stage.served).toBe(0);
  });

  it('asks once where the answer does not come, and passes the request when the time for it is over', async () => {
    const between = await delayProxy({ targetPort: 1 });
    await start({}, (config) => {
      between.setTarget(stage.decisionPort);
      return config.replace('timeout server 20s', 'timeout server 500ms').replace(`decision 127.0.0.1:${stage.decisionPort}`, `decision 127.0.0.1:${between.port}`);
    });
    expect((await stage.ask('/warm')).status).toBe(200);
    between.dropReplies(true);
    const startedMs = performance.now();
    expect((await stage.ask('/open')).status).toBe(200);
    const tookMs = performance.now() - startedMs;
    // As long as it would take to ask again.
    await sleep(1_500);
    expect(await stage.decisionsBy('per-ip')).toBe(1);
    expect(tookMs).toBeGreaterThan(450);
    expect(tookMs).toBeLessThan(1_500);
    await between.close();
  });
});
