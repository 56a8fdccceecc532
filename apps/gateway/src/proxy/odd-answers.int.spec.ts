import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '@sluice/platform';
import { bytesTo } from '../../test/bytes-to.js';
import { answering, type RawUpstream, startRawUpstream } from '../../test/raw-upstream.js';
import { startStage, type Stage } from '../../test/running-gateway.js';
import type { GatewayConfig } from '../config/gateway-config.js';

const KEY = 'Host: a\r\nX-Api-Key: demo-free\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n';

describe('R76 odd answers of an upstream', () => {
  let stage: Stage;
  let upstream: RawUpstream;
  const lines: string[] = [];

  async function open(answer: (socket: Socket, sofar: string) => void, config: Partial<GatewayConfig> = {}): Promise<Stage> {
    lines.length = 0;
    upstream = await startRawUpstream(answer);
    const logger = createLogger({ app: 'gateway', level: 'warn', destination: { write: (line: string) => void lines.push(line) } });
    return (stage = await startStage({ rules: [], config: { upstreamUrl: upstream.url, ...config }, logger }));
  }
  afterEach(async () => {
    await stage.close();
    await upstream.close();
  });

  it('a 304 may say how long the body is that it does not have', async () => {
    const { gateway, ask } = await open(answering('HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 1234\r\n\r\n'));
    for (let at = 0; at < 3; at += 1) {
      const response = await ask('/x', { headers: { 'If-None-Match': '"x"' } });
      expect([response.status, response.headers.get('etag'), response.headers.get('content-length')]).toEqual([304, '"x"', '1234']);
    }
    // One answer after the other on one connection.
    const answer = await bytesTo(gateway.url, `GET /x HTTP/1.1\r\n${KEY}\r\nGET /x HTTP/1.1\r\n${KEY}Connection: close\r\n\r\n`);
    expect(answer.match(/^HTTP\/1.1 304/gm)).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  it('a 204 has no length, whatever it says', async () => {
    const { ask } = await open(answering('HTTP/1.1 204 No Content\r\nETag: "x"\r\nContent-Length: 5\r\n\r\n'));
    const response = await ask('/x');
    expect([response.status, response.headers.get('etag'), response.headers.get('content-length')]).toEqual([204, '"x"', null]);
  });

  it.each([
    ['before the answer', CONTINUE + OK],
    ['twice, and others', CONTINUE + PROCESSING + CONTINUE + OK],
  ])('a 100 that nobody asked for is skipped: %s', async (_name, bytes) => {
    const { ask } = await open(answering(bytes));
    for (let at = 0; at < 3; at += 1) expect(await (await ask('/x')).text()).toBe('ok');
    expect(upstream.connections).toHaveLength(1);
  });

  it('a 100 in front of an upload is skipped', async () => {
    const { gateway } = await open((socket, sofar) => {
      if (sofar.endsWith('a')) socket.write(CONTINUE);
      if (sofar.endsWith('abc')) socket.write(OK);
    });
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write(`POST /x HTTP/1.1\r\n${KEY}Content-Length: 3\r\n\r\na`);
    await pause(100);
    socket.write('bc');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  it('interim answers do not put off SLUICE_UPSTREAM_TIMEOUT', async () => {
    const { ask } = await open(
      (socket) => {
        const timer = setInterval(() => socket.write(PROCESSING), 100);
        socket.on('close', () => clearInterval(timer));
      },
      { upstreamTimeoutMs: 300 },
    );
    const startedMs = performance.now();
    expect((await ask('/x')).status).toBe(504);
    expect(performance.now() - startedMs).toBeLessThan(2500);
    await pause(50);
    expect(upstream.connections.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('an upload that takes longer than the limit is waited for, interim answer or not', async () => {
    const { gateway } = await open(
      (socket, sofar) => {
        if (sofar.endsWith('1')) socket.write(PROCESSING);
        if (sofar.endsWith('5')) socket.write(OK);
      },
      { upstreamTimeoutMs: 300 },
    );
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write(`POST /x HTTP/1.1\r\n${KEY}Content-Length: 5\r\n\r\n`);
    for (const digit of '12345') {
      await pause(200);
      socket.write(digit);
    }
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  it('an answer in a transfer coding that the gateway would have to take off is 502', async () => {
    const { ask } = await open(answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'));
    expect((await ask('/x')).status).toBe(502);
  });

  it('a request that its client breaks off leaves no connection to the upstream', async () => {
    const { gateway } = await open(() => undefined);
    for (let at = 0; at < 10; at += 1) {
      const before = upstream.connections.length;
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
      socket.write(`GET /x HTTP/1.1\r\n${KEY}\r\n`);
      while (upstream.connections.length === before) await pause(5);
      await pause(20);
      socket.destroy();
      await pause(30);
    }
    await pause(200);
    expect(upstream.connections).toHaveLength(10);
    expect(upstream.connections.filter(({ destroyed }) => !destroyed)).toEqual([]);
  });
});
