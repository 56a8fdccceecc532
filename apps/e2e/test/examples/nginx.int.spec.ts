import { type ProxyServer, startNginx } from '@sluice/testkit';
import { connect } from 'node:net';
import { type EdgeStage, startEdgeStage } from './edge-stage.js';
import { itHoldsOfEdges } from './expect-edge.js';

/** The line that the example says to leave out. */
const FAIL_OPEN = /^ *error_page 500 .*\n/gm;

describe('R74 a real nginx in front, by examples/nginx', () => {
  let stage: EdgeStage;
  let nginx: ProxyServer;
  const start = async (change: (config: string) => string = (config) => config): Promise<void> => {
    stage = await startEdgeStage();
    nginx = await startNginx({ config: change(stage.example('nginx/sluice.conf')), port: stage.port });
  };
  afterEach(async () => {
    await nginx.stop();
    await stage.close();
  });

  itHoldsOfEdges(async () => {
    await start();
    return stage;
  });

  it('R77 lets no client ask the decision service itself', async () => {
    await start();
    expect((await stage.ask('/_sluice')).status).toBe(404);
  });

  it('R77 counts a target in absolute form as its path', async () => {
    await start();
    const statuses: (string | undefined)[] = [];
    for (let at = 0; at < 3; at += 1) {
      const socket = connect(stage.port, '127.0.0.1');
      socket.write('GET http://other.example/open HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n');
      let text = '';
      for await (const bytes of socket) text += String(bytes);
      statuses.push(text.split(' ')[1]);
    }
    expect(statuses).toEqual(['200', '200', '429']);
  });

  it('passes all when the decision service is down, as the example is', async () => {
    await start();
    await stage.decision.close();
    for (let at = 0; at < 5; at += 1) expect((await stage.ask('/open', { 'Sluice-Key-Id': 'k9' })).got['sluice-key-id']).toBeUndefined();
  });

  it('passes nothing then, without the line', async () => {
    await start((config) => config.replaceAll(FAIL_OPEN, ''));
    expect((await stage.ask('/open')).status).toBe(200);
    await stage.decision.close();
    expect((await stage.ask('/open')).status).toBe(500);
    expect(stage.served).toBe(1);
  });

  it('passes nothing with a token that is wrong', async () => {
    await start((config) => config.replace('decision-token', 'another-token'));
    expect((await stage.ask('/open')).status).toBe(401);
    expect(stage.served).toBe(0);
  });
});
