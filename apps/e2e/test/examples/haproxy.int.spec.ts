import { type ProxyServer, startHaproxy } from '@sluice/testkit';
import { type EdgeStage, startEdgeStage, TOKEN } from './edge-stage.js';
import { expectBadKeysRefused, expectBodiesPass, expectLimitedThenServed, expectSpoofingIsVain } from './expect-edge.js';

describe('R74 a real HAProxy in front, by examples/haproxy', () => {
  let stage: EdgeStage;
  let haproxy: ProxyServer;
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    stage = await startEdgeStage();
    const files = { 'sluice.lua': stage.example('haproxy/sluice.lua') };
    haproxy = await startHaproxy({ config: stage.example('haproxy/haproxy.cfg'), files, port: stage.port, env: { SLUICE_DECISION_TOKEN: TOKEN, ...env } });
  };
  afterEach(async () => {
    await haproxy.stop();
    await stage.close();
  });

  it('R70 limits a client with 429 and the fields, and serves it when it has waited', async () => {
    await start();
    await expectLimitedThenServed(stage);
  });

  it('R77 is not led astray by what a client sends', async () => {
    await start();
    await expectSpoofingIsVain(stage);
  });

  it('hands bodies on, and counts by method', async () => {
    await start();
    await expectBodiesPass(stage);
  });

  it('refuses keys that are none', async () => {
    await start();
    await expectBadKeysRefused(stage);
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
});
