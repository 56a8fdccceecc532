import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '@sluice/platform';
import type { Rule } from '@sluice/rules';
import { startStage, type Stage, type StageOptions } from '../../test/running-gateway.js';

const KEY = { 'X-Api-Key': 'demo-free' };
const NO_RULES: readonly Rule[] = [];

describe('R76 streams both ways', () => {
  let stage: Stage;
  const sockets: Socket[] = [];

  async function open(options: StageOptions = {}): Promise<Stage> {
    stage = await startStage({ rules: NO_RULES, ...options });
    return stage;
  }
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await stage.close();
  });
  async function raw(head: string): Promise<Socket> {
    const { hostname, port } = new URL(stage.gateway.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(head);
    return socket;
  }

  it('the upstream has the first bytes of an upload before the last are sent', async () => {
    const { gateway, upstream } = await open();
    const first = new Promise<string>((resolve) => (upstream.answer = (request, response) => void request.once('data', (chunk: Buffer) => resolve(chunk.toString())).on('end', () => response.end('done'))));
    const sent = httpRequest(`${gateway.url}/up`, { method: 'POST', headers: KEY });
    sent.write('first');
    expect(await first).toBe('first');
    const answered = once(sent, 'response');
    sent.end('last');
    expect(((await answered) as [{ statusCode: number }])[0].statusCode).toBe(200);
  });

  it('an upload that the upstream does not read waits at the client, whatever its length', async () => {
    const { upstream } = await open();
    upstream.answer = (request) => void request.pause();
    const socket = await raw(`POST /up HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\nContent-Length: ${1024 ** 3}\r\n\r\n`);
    const chunk = Buffer.alloc(1_000_000);
    let given = 0;
    while (given < 200_000_000 && (socket.write(chunk) || (await Promise.race([once(socket, 'drain').then(() => true), pause(1000, false)])))) given += chunk.length;
    // What the kernels and four buffers of a few hundred kB hold.
    expect(given).toBeLessThan(40_000_000);
  });

  it('an answer that the client does not read waits at the upstream', async () => {
    const { upstream } = await open();
    let given = 0;
    upstream.answer = (_request, response) => {
      const chunk = Buffer.alloc(1_000_000);
      const more = (): void => {
        while (given < 200_000_000) {
          given += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    const socket = await raw('GET /down HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\nConnection: close\r\n\r\n');
    socket.pause();
    await pause(1000);
    const held = given;
    expect(held).toBeLessThan(40_000_000);
    let received = 0;
    socket.on('data', (part: Buffer) => (received += part.length)).resume();
    await once(socket, 'close');
    expect(received).toBeGreaterThan(200_000_000);
  });

  it('takes connections to the upstream again instead of new ones', async () => {
    const { ask, upstream } = await open();
    const ports = new Set<number | undefined>();
    upstream.answer = (request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    };
    for (let at = 0; at < 30; at += 1) await (await ask('/x')).text();
    expect(ports.size).toBe(1);
    for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 10 }, async () => (await ask('/x')).text()));
    expect(ports.size).toBeLessThanOrEqual(11);
  });

  it('200 requests at once do not wait for each other', async () => {
    const { ask, upstream } = await open();
    const waiting: { end(): void }[] = [];
    upstream.answer = (_request, response) => {
      waiting.push(response);
      if (waiting.length === 200) for (const one of waiting) one.end();
    };
    const responses = await Promise.all(Array.from({ length: 200 }, () => ask('/x')));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
  });

  it('an answer that breaks off in the middle breaks off at the client too, and is one line in the log', async () => {
    const lines: string[] = [];
    const { ask, upstream } = await open({ logger: createLogger({ app: 'gateway', level: 'warn', destination: { write: (line: string) => void lines.push(line) } }) });
    upstream.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half');
      setTimeout(() => response.destroy(), 50);
    };
    const response = await ask('/x');
    await expect(response.text()).rejects.toThrow();
    await pause(20);
    expect(lines).toEqual([expect.stringMatching(/"reqId":"[^"]+".*the upstream broke off its answer/)]);
  });

  it('a client that leaves takes its request to the upstream along', async () => {
    const { upstream } = await open();
    const left = new Promise<void>((resolve) => (upstream.answer = (_request, response) => void response.on('close', () => resolve())));
    const socket = await raw('GET /x HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\n\r\n');
    while (upstream.seen.length === 0) await pause(5);
    socket.destroy();
    await left;
  });

  it('paths before the upstream, and dot segments', async () => {
    const first = await open();
    const url = first.upstream.url;
    const { ask, gateway } = await startStage({ rules: NO_RULES, config: { upstreamUrl: `${url}/base/` } }).then(async (second) => {
      await first.gateway.close();
      return (stage = { ...second, close: async () => void (await second.close(), await first.bus.close(), await first.upstream.close(), await first.plane.close()) });
    });
    expect(await (await ask('/v1/x?y=/./z')).json()).toMatchObject({ url: '/base/v1/x?y=/./z' });
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.write('GET /a/./b/%2e/c?q HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\nConnection: close\r\n\r\n');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, 'close');
    expect(text).toContain('"url":"/base/a/b/c?q"');
  });

  describe('does not wait for ever', () => {
    const config = { headerTimeoutMs: 300, stallTimeoutMs: 400, upstreamTimeoutMs: 300 };

    async function cutWithin(socket: Socket, ms: number): Promise<string> {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const startedMs = performance.now();
      await once(socket, 'close');
      expect(performance.now() - startedMs).toBeLessThan(ms);
      return text;
    }

    it('for a client that says nothing, or drips its fields', async () => {
      await open({ config });
      await cutWithin(await raw(''), 3000);
      const socket = await raw('GET /x HTTP/1.1\r\nHost: a\r\n');
      const drip = setInterval(() => socket.write('X: y\r\n'), 50);
      expect(await cutWithin(socket, 3000)).toMatch(/^HTTP\/1.1 408 /);
      clearInterval(drip);
      expect(stage.upstream.seen).toHaveLength(0);
    });

    it('for a body that stalls at the client', async () => {
      const { upstream } = await open({ config });
      const gone = new Promise<void>((resolve) => (upstream.answer = (request) => void request.on('error', () => undefined).on('close', resolve).resume()));
      const socket = await raw('POST /x HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\nContent-Length: 10\r\n\r\nhalf');
      await cutWithin(socket, 5000);
      await gone;
    });

    it('for a body that stalls at the upstream', async () => {
      const { upstream } = await open({ config });
      upstream.answer = (_request, response) => void response.writeHead(200, { 'Content-Length': '10' }).write('half');
      const socket = await raw('GET /x HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\n\r\n');
      expect(await cutWithin(socket, 5000)).toMatch(/^HTTP\/1.1 200 [^]*half$/);
    });

    it('for a client that does not take its answer', async () => {
      const { upstream } = await open({ config });
      const cut = new Promise<void>((resolve) => (upstream.answer = (_request, response) => void (response.on('close', resolve), response.write(Buffer.alloc(64_000_000)))));
      const socket = await raw('GET /x HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\n\r\n');
      socket.pause();
      await cut;
    });
  });

  it('does not take any certificate of an upstream', async () => {
    const { key, cert } = selfSigned();
    const secure = createSecureServer({ key, cert }, (_request, response) => response.end('secret'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const { ask } = await open({ config: { upstreamUrl: `https://127.0.0.1:${(secure.address() as AddressInfo).port}` } });
    expect((await ask('/x')).status).toBe(502);
    secure.close();
  });

  it('R44 a stop under load loses no request that had been sent', async () => {
    const { gateway, upstream } = await open();
    upstream.answer = (_request, response) => void setTimeout(() => response.end('done'), Math.random() * 100);
    const agent = new Agent({ keepAlive: true, maxSockets: 40 });
    const outcomes: { readonly sentMs: number; readonly outcome: string }[] = [];
    let stopping = false;
    const ask = (): Promise<void> => {
      const sentMs = performance.now();
      return new Promise((resolve) => {
        const settle = (outcome: string): void => void (outcomes.push({ sentMs, outcome }), resolve());
        httpRequest(`${gateway.url}/x`, { agent, headers: KEY }, (response) => void response.on('data', () => undefined).on('end', () => settle(`${response.statusCode}`)).on('error', () => settle('broken off')))
          .on('error', (error) => settle(error.message))
          .end();
      });
    };
    const client = async (): Promise<void> => {
      while (!stopping) await ask();
    };
    const clients = Array.from({ length: 40 }, client);
    await pause(500);
    // What was sent a moment before is on its way, or there.
    stopping = true;
    await pause(20);
    const stoppedMs = performance.now();
    await gateway.close();
    await Promise.all(clients);
    agent.destroy();
    expect(outcomes.length).toBeGreaterThan(100);
    expect(outcomes.filter(({ sentMs, outcome }) => sentMs < stoppedMs && outcome !== '200')).toEqual([]);
    await expect(fetch(gateway.url)).rejects.toThrow();
  });
});

/** For 127.0.0.1, and for nobody to trust. */
function selfSigned(): { readonly key: string; readonly cert: string } {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const both = execFileSync('openssl', ['req', '-x509', ...curve, '-days', '2', '-subj', '/CN=upstream', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', '-', '-out', '-'], { stdio: 'pipe' }).toString();
  return { key: both, cert: both };
}
