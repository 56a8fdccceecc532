import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as tcp, type Socket } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';
import { bytesTo } from '../../test/bytes-to.js';
import { FREE_RULES, startStage, type Stage, type StageOptions } from '../../test/running-gateway.js';
import { startWsUpstream, type WsUpstream } from '../../test/ws-upstream.js';

/** What a client hears: an open socket, or the answer that it got instead. */
type Heard = { readonly socket: WebSocket; readonly headers: Readonly<Record<string, unknown>> } | { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: string };

describe('R76 WebSockets through the gateway', () => {
  let upstream: WsUpstream;
  let stage: Stage;
  const clients: WebSocket[] = [];

  async function open(options: StageOptions = {}, service: { readonly deflate?: boolean } = {}): Promise<void> {
    upstream = await startWsUpstream(service);
    stage = await startStage({ ...options, config: { upstreamUrl: upstream.url, ...options.config } });
  }
  afterEach(async () => {
    for (const client of clients.splice(0)) client.terminate();
    await stage.close();
    await upstream.close();
  });

  function connect(path = '/live', { key = 'demo-free', protocols = [], ...options }: ClientOptions & { readonly key?: string; readonly protocols?: string[] } = {}): Promise<Heard> {
    const socket = new WebSocket(`ws${stage.gateway.url.slice(4)}${path}`, protocols, { ...options, headers: { ...(key === '' ? {} : { 'X-Api-Key': key }), ...options.headers } });
    clients.push(socket);
    let headers = {};
    socket.on('upgrade', (answer) => (headers = answer.headers));
    return new Promise((resolve, reject) => {
      socket.on('open', () => resolve({ socket, headers }));
      socket.on('unexpected-response', (_request, answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString())).on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      });
      socket.on('error', reject);
    });
  }
  async function opened(...args: Parameters<typeof connect>): Promise<WebSocket> {
    const heard = await connect(...args);
    if (!('socket' in heard)) throw new Error(`refused with ${heard.status}: ${heard.body}`);
    return heard.socket;
  }
  async function closed(socket: WebSocket): Promise<readonly [number, string]> {
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    return [code, reason.toString()];
  }
  async function echo(socket: WebSocket, data: string | Buffer): Promise<string | Buffer> {
    const answer = once(socket, 'message') as Promise<[Buffer, boolean]>;
    socket.send(data);
    const [message, isBinary] = await answer;
    return isBinary ? message : message.toString();
  }

  it('passes text and binary, empty and large, pings and subprotocols, and names the caller', async () => {
    await open();
    const heard = await connect('/live/%7Bx%7D?y=1', { protocols: ['v1.chat', 'v2.chat'], headers: { 'Sluice-Plan': 'pro', 'X-Own': 'kept', Origin: 'https://app.example' } });
    if (!('socket' in heard)) throw new Error(heard.body);
    const { socket, headers } = heard;
    expect(socket.protocol).toBe('v2.chat');
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4', 'ratelimit-policy': '"default";q=5;w=60', 'x-request-id': expect.any(String) });
    const seen = upstream.seen[0];
    expect(seen?.url).toBe('/live/%7Bx%7D?y=1');
    expect(seen?.headers).toMatchObject({ 'sluice-key-id': 'k-free', 'sluice-plan': 'free', 'x-forwarded-for': '127.0.0.1', 'x-own': 'kept', origin: 'https://app.example', host: new URL(upstream.url).host });
    expect(seen?.headers).not.toHaveProperty('x-api-key');
    for (const message of ['', 'hello', 'x'.repeat(200), 'x'.repeat(100_000)]) expect(await echo(socket, message)).toBe(message);
    const binary = Buffer.alloc(3_000_000, 7);
    expect(binary.equals((await echo(socket, binary)) as Buffer)).toBe(true);
    const pong = once(socket, 'pong');
    socket.ping('are you there');
    expect(String((await pong)[0])).toBe('are you there');
    socket.close(4001, 'enough');
    expect(await closed(upstream.sockets[0] as WebSocket)).toEqual([4001, 'enough']);
  });

  it('compression is agreed on from end to end', async () => {
    await open({}, { deflate: true });
    const socket = await opened();
    expect(socket.extensions).toContain('permessage-deflate');
    expect(await echo(socket, 'x'.repeat(50_000))).toBe('x'.repeat(50_000));
  });

  it('what client and upstream send with their handshakes arrives', async () => {
    await open();
    upstream.serve = (socket) => {
      socket.send('welcome');
      socket.on('message', (data) => socket.send(data));
    };
    const heard = await bytesTo(stage.gateway.url, handshake('X-Api-Key: demo-free\r\nX-Hop: 1\r\nConnection: X-Hop\r\n') + '\x81\x82\x00\x00\x00\x00hi' + '\x88\x80\x00\x00\x00\x00', 'latin1');
    expect(heard).toMatch(/^HTTP\/1.1 101 /);
    expect(heard.split('\r\n\r\n')[1]).toBe('\x81\x07welcome\x82\x02hi\x88\x00');
    expect(upstream.seen[0]?.headers).not.toHaveProperty('x-hop');
    expect(upstream.seen[0]?.headers.connection).toBe('Upgrade');
  });

  describe('limits the handshake as any request', () => {
    it.each([
      ['without a key', '', 401],
      ['with an unknown key', 'nobody', 401],
    ])('%s it is an answer on the socket: 401', async (_name, key, status) => {
      await open();
      expect(await connect('/live', { key })).toMatchObject({ status, headers: { 'www-authenticate': 'ApiKey realm="sluice"', 'content-type': expect.stringContaining('application/problem+json'), connection: 'close' }, body: expect.stringContaining('"status":401') });
      expect(upstream.seen).toHaveLength(0);
    });

    it('429 with the fields when the limit is used up, of either pass', async () => {
      await open({ rules: [{ rule_id: 'one', version: 1, endpoint: 'GET /live', limit: 2, window_seconds: 60 }, { rule_id: 'coarse', version: 1, domain: 'edge', endpoint: 'GET /front', count_by: ['ip'], policy: 'address', limit: 1, window_seconds: 60 }] });
      await opened();
      await opened();
      const fields = { 'retry-after': expect.stringMatching(/^\d+$/), 'cache-control': 'no-store', 'x-ratelimit-remaining': '0' };
      expect(await connect()).toMatchObject({ status: 429, headers: { ...fields, 'ratelimit-policy': '"default";q=2;w=60' } });
      await opened('/front');
      expect(await connect('/front', { key: 'nobody' })).toMatchObject({ status: 429, headers: { ...fields, 'ratelimit-policy': '"address";q=1;w=60' } });
    });

    it('429 by the edge, 400 for an odd target', async () => {
      await open({ config: { edgeLimit: { limit: 2, windowMs: 60_000 } } });
      await opened();
      expect(await connect('//live')).toMatchObject({ status: 400 });
      expect(await connect()).toMatchObject({ status: 429, headers: { 'ratelimit-policy': '"edge";q=2;w=60' } });
    });
  });

  describe('when the upstream does not agree', () => {
    it('its answer is passed on with the fields', async () => {
      await open();
      upstream.refuse = (socket) => socket.end('HTTP/1.1 403 Forbidden\r\nX-Own: 1\r\nX-RateLimit-Limit: 999\r\nContent-Length: 4\r\n\r\nnope');
      expect(await connect()).toMatchObject({ status: 403, headers: { 'x-own': '1', 'x-ratelimit-limit': '5' }, body: 'nope' });
    });

    it.each<[string, (socket: { end(text?: string): void; destroy(): void }) => void]>([
      ['breaks off', (socket) => socket.destroy()],
      ['switches to something else', (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')],
      ['proves nothing', (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n')],
    ])('502 when it %s, and what was charged stands', async (_name, refuse) => {
      await open({ rules: [{ rule_id: 'one', version: 1, limit: 1, window_seconds: 60 }] });
      upstream.refuse = refuse;
      expect(await connect()).toMatchObject({ status: 502, headers: { 'x-ratelimit-limit': '1' } });
      await pause(20);
      expect(await connect()).toMatchObject({ status: 429 });
    });

    it('502 when it cannot be reached, and what was charged goes back', async () => {
      await open({ rules: [{ rule_id: 'one', version: 1, limit: 1, window_seconds: 60 }], config: { upstreamUrl: 'http://127.0.0.1:1' } });
      for (let at = 0; at < 3; at += 1) {
        expect(await connect()).toMatchObject({ status: 502, headers: { 'x-ratelimit-limit': '1' } });
        await pause(20);
      }
    });

    it('502 when its answer is in a transfer coding that the gateway would have to take off', async () => {
      await open();
      upstream.refuse = (socket) => socket.end('HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n');
      expect(await connect()).toMatchObject({ status: 502 });
    });

    describe('half an answer, then silence', () => {
      async function half(options: StageOptions = {}): Promise<{ readonly socket: Socket; readonly gone: Promise<unknown> }> {
        await open(options);
        const gone = new Promise((resolve) => (upstream.refuse = (socket) => void socket.on('end', resolve).on('close', resolve).resume().write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')));
        const socket = tcp(Number(new URL(stage.gateway.url).port), '127.0.0.1');
        socket.on('error', () => undefined).write(handshake('X-Api-Key: demo-free\r\n'));
        expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
        return { socket, gone };
      }

      it('goes with its client', async () => {
        const { socket, gone } = await half();
        socket.destroy();
        expect(await Promise.race([gone.then(() => 'gone'), pause(2000, 'there')])).toBe('gone');
      });

      it('is cut when it stalls', async () => {
        const { socket, gone } = await half({ config: { stallTimeoutMs: 200 } });
        expect(await Promise.race([gone.then(() => 'gone'), pause(3000, 'there')])).toBe('gone');
        socket.destroy();
      });
    });

    it('504 when it is late', async () => {
      await open({ config: { upstreamTimeoutMs: 200 } });
      upstream.refuse = () => undefined;
      expect(await connect()).toMatchObject({ status: 504, body: expect.stringContaining('did not answer in time') });
    });

    it('a client that leaves during its handshake leaves nothing behind', async () => {
      await open();
      const upstreamGone = new Promise<void>((resolve) => (upstream.refuse = (socket) => void socket.on('end', resolve).resume()));
      const socket = new WebSocket(`ws${stage.gateway.url.slice(4)}/live`, { headers: { 'X-Api-Key': 'demo-free' } });
      socket.on('error', () => undefined);
      while (upstream.seen.length === 0) await pause(5);
      const startedMs = performance.now();
      socket.terminate();
      await upstreamGone;
      expect(performance.now() - startedMs).toBeLessThan(2000);
    });
  });

  describe('when one end goes', () => {
    it('an upstream that is gone mid-way is 1014 to the client', async () => {
      await open();
      const socket = await opened();
      upstream.sockets[0]?.terminate();
      expect(await closed(socket)).toEqual([1014, 'the upstream broke off']);
    });

    it('a client that is gone mid-way is 1001 to the upstream', async () => {
      await open();
      const socket = await opened();
      await echo(socket, 'x');
      const heard = closed(upstream.sockets[0] as WebSocket);
      socket.terminate();
      expect((await heard)[0]).toBe(1001);
    });

    it("the upstream's own close code gets through", async () => {
      await open();
      const socket = await opened();
      upstream.sockets[0]?.close(4321, 'so long');
      expect(await closed(socket)).toEqual([4321, 'so long']);
    });
  });

  it('a tunnel in which nothing moves is closed with 1001, one in which something does is not', async () => {
    await open({ config: { stallTimeoutMs: 300 } });
    const idle = await opened();
    const busy = await opened();
    const upstreamHeard = closed(upstream.sockets[0] as WebSocket);
    const heard = closed(idle);
    for (let at = 0; at < 8; at += 1) {
      await pause(100);
      expect(await echo(busy, 'x')).toBe('x');
    }
    expect(await heard).toEqual([1001, 'idle']);
    expect(await upstreamHeard).toEqual([1001, 'idle']);
    expect(busy.readyState).toBe(WebSocket.OPEN);
  });

  it('a slow reader holds the other end back, instead of filling memory', async () => {
    await open();
    upstream.serve = () => undefined;
    const socket = await opened();
    const from = upstream.sockets[0] as WebSocket;
    socket.pause();
    const chunk = Buffer.alloc(1_000_000);
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    for (let at = 0; at < 64; at += 1) from.send(chunk);
    await pause(500);
    // It is the sender that keeps what the reader does not take.
    expect(from.bufferedAmount).toBeGreaterThan(40_000_000);
    expect(process.memoryUsage().arrayBuffers + process.memoryUsage().external - before).toBeLessThan(64_000_000 + 25_000_000);
    let received = 0;
    socket.on('message', (data: Buffer) => (received += data.length));
    socket.resume();
    for (let tries = 0; tries < 500 && received < 64_000_000; tries += 1) await pause(20);
    expect(received).toBe(64_000_000);
  });

  describe('limits messages by a rule', () => {
    const rules = [...FREE_RULES, { rule_id: 'messages', version: 1, descriptors: { rule: 'ws-message' }, limit: 3, window_seconds: 60, policy: 'messages' }];

    it('closes with 1008 for one too many, which is not passed on', async () => {
      await open({ rules, config: { wsMessageRule: 'ws-message' } });
      const got: string[] = [];
      upstream.serve = (socket) => socket.on('message', (data: Buffer) => got.push(data.toString()));
      const socket = await opened();
      const upstreamHeard = closed(upstream.sockets[0] as WebSocket);
      const heard = closed(socket);
      for (const message of ['1', '2', '3', '4', '5']) socket.send(message);
      expect(await heard).toEqual([1008, expect.stringMatching(/^too many frames; retry after \d+ s$/)]);
      expect((await upstreamHeard)[0]).toBe(1008);
      expect(got).toEqual(['1', '2', '3']);
      expect(await connect()).toMatchObject({ headers: { 'x-ratelimit-limit': '5' } });
    });

    it.each<[string, (socket: WebSocket) => void]>([
      ['pings', (socket) => socket.ping()],
      ['pongs that nobody asked for', (socket) => socket.pong()],
      ['pieces of a message', (socket) => socket.send('piece', { fin: false })],
    ])('%s count as well: whatever reaches the upstream does', async (_name, send) => {
      await open({ rules, config: { wsMessageRule: 'ws-message' } });
      upstream.serve = () => undefined;
      const socket = await opened();
      const heard = closed(socket);
      for (let at = 0; at < 4; at += 1) send(socket);
      expect((await heard)[0]).toBe(1008);
    });

    it('so do frames of no known kind', async () => {
      await open({ rules, config: { wsMessageRule: 'ws-message' } });
      const got: Buffer[] = [];
      upstream.refuse = (socket) => void socket.on('data', (chunk: Buffer) => got.push(chunk)).write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n');
      const frame = '\x83\x80\x00\x00\x00\x00';
      const heard = await bytesTo(stage.gateway.url, handshake('X-Api-Key: demo-free\r\n') + frame.repeat(5), 'latin1');
      const close = heard.split('\r\n\r\n')[1] ?? '';
      expect([close.slice(0, 1), close.slice(2, 19)]).toEqual(['\x88', '\x03\xf0too many frames']);
      expect(Buffer.concat(got).toString('latin1').startsWith(frame.repeat(3) + '\x88')).toBe(true);
    });

    it('answers to pings of the upstream are free', async () => {
      await open({ rules, config: { wsMessageRule: 'ws-message' } });
      const socket = await opened();
      for (let at = 0; at < 8; at += 1) {
        const pong = once(upstream.sockets[0] as WebSocket, 'pong');
        upstream.sockets[0]?.ping();
        await pong;
      }
      for (const message of ['1', '2', '3']) expect(await echo(socket, message)).toBe(message);
    });
  });

  describe('R44 a stop', () => {
    it('tells both ends 1001 and is over soon', async () => {
      await open();
      const sockets = await Promise.all([opened(), opened(), opened()]);
      const heard = Promise.all(sockets.map(closed));
      const upstreamHeard = Promise.all(upstream.sockets.map(closed));
      const startedMs = performance.now();
      await stage.gateway.close();
      expect(performance.now() - startedMs).toBeLessThan(1500);
      expect(await heard).toEqual(Array.from({ length: 3 }, () => [1001, 'the gateway stops']));
      expect((await upstreamHeard).map(([code]) => code)).toEqual([1001, 1001, 1001]);
    });

    it('cuts a handshake that the upstream leaves unanswered within 10 s', async () => {
      await open({ config: { upstreamTimeoutMs: 60_000 } });
      upstream.refuse = () => undefined;
      const heard = connect().catch((error: unknown) => error);
      while (upstream.seen.length === 0) await pause(5);
      const startedMs = performance.now();
      await stage.gateway.close();
      expect(performance.now() - startedMs).toBeLessThan(9000);
      expect(await heard).toMatchObject({ message: expect.any(String) });
    }, 20_000);

    it('cuts ends that do not answer, well within 10 s', async () => {
      await open();
      const socket = await opened();
      (socket as unknown as { _socket: { pause(): void } })._socket.pause();
      const startedMs = performance.now();
      await stage.gateway.close();
      expect(performance.now() - startedMs).toBeLessThan(5000);
    });
  });

  it('other upgrades, and malformed handshakes, are the plain requests that they are too', async () => {
    await open();
    for (const fields of ['Upgrade: h2c\r\nHTTP2-Settings: AAA\r\n', 'Upgrade: websocket\r\n', 'Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 7\r\n']) {
      const answer = await bytesTo(stage.gateway.url, `GET /x HTTP/1.1\r\nHost: a\r\nX-Api-Key: demo-free\r\nConnection: Upgrade, close\r\n${fields}\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 200 [^]*plain$/);
    }
    expect(upstream.seen).toHaveLength(0);
  });

  it('R14 a handshake that was refused can cost nothing', async () => {
    await open({ rules: [{ rule_id: 'one', version: 1, limit: 1, window_seconds: 60 }], config: { upstreamCosts: true } });
    upstream.refuse = (socket) => socket.end('HTTP/1.1 404 Not Found\r\nSluice-Cost: 0\r\nContent-Length: 0\r\n\r\n');
    for (let at = 0; at < 3; at += 1) {
      const heard = await connect();
      expect(heard).toMatchObject({ status: 404 });
      expect(heard.headers).not.toHaveProperty('sluice-cost');
      await pause(30);
    }
  });

  it('R93 counts the open ones', async () => {
    await open();
    await opened();
    const metrics = async () => (await fetch(`${stage.gateway.opsUrl}/metrics`)).text();
    expect(await metrics()).toMatch(/sluice_gateway_websockets\{app="gateway"\} 1/);
    clients[0]?.terminate();
    for (let tries = 0; tries < 200 && !/websockets\{app="gateway"\} 0/.test(await metrics()); tries += 1) await pause(10);
    expect(await metrics()).toMatch(/sluice_gateway_websockets\{app="gateway"\} 0/);
  });
});

function handshake(fields: string): string {
  return `GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${fields}\r\n`;
}
