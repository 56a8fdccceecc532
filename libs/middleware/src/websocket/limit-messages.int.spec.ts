import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Decision } from '@sluice/limiter';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { decisionOver, policyOutcome, refusal } from '../../test/decision-fixture.js';
import { allowed, scriptedDecider } from '../../test/scripted-decider.js';
import { limitMessages, type LimitMessagesOptions } from './limit-messages.js';
import { limitUpgrade, type LimitUpgradeOptions } from './limit-upgrade.js';

const running: { server: Server; wss: WebSocketServer }[] = [];

afterEach(async () => {
  for (const { server, wss } of running.splice(0)) {
    for (const ws of wss.clients) ws.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Setup {
  readonly messages?: Omit<LimitMessagesOptions<RawData>, 'attributes' | 'onMessage'>;
  readonly upgrade?: LimitUpgradeOptions;
  readonly onMessage?: (data: RawData) => void;
}

/** A server of ws; what was delivered, and the errors of its sockets. */
async function listen({ messages, upgrade, onMessage }: Setup) {
  const wss = new WebSocketServer({ noServer: true });
  const delivered: string[] = [];
  const errors: Error[] = [];
  const sockets: Duplex[] = [];
  const limit = upgrade && limitUpgrade(upgrade);
  const server = createServer();
  running.push({ server, wss });
  server.on('upgrade', (request, socket, head) => {
    sockets.push(socket);
    const open = () =>
      wss.handleUpgrade(request, socket, head, (ws) => {
        ws.on('error', (error) => errors.push(error));
        if (messages === undefined) return;
        limitMessages(ws, {
          ...messages,
          attributes: { key_id: 'k1' },
          onMessage: (data) => {
            delivered.push(String(data));
            onMessage?.(data);
          },
        });
      });
    if (limit === undefined) open();
    else limit(request, socket, open);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/chat?room=1`;
  return { url, delivered, errors, wss, sockets };
}

async function connect(url: string): Promise<WebSocket> {
  const client = new WebSocket(url);
  await once(client, 'open');
  return client;
}

async function closed(client: WebSocket): Promise<{ code: number; reason: string }> {
  const [code, reason] = await once(client, 'close');
  return { code, reason: String(reason) };
}

async function until(condition: () => boolean): Promise<void> {
  const endMs = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`not so in time: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function late(decision: Decision, ms: number): Promise<Decision> {
  return new Promise((resolve) => setTimeout(() => resolve(decision), ms));
}

describe('WebSocket messages, each a check of its own', () => {
  it('delivers what passes and closes with 1008 and the wait at the first refusal; nothing follows', async () => {
    const limiter = scriptedDecider(allowed, allowed, refusal(1_900), allowed);
    const { url, delivered } = await listen({ messages: { limiter } });
    const client = await connect(url);
    for (const text of ['1', '2', '3', '4']) client.send(text);
    expect(await closed(client)).toEqual({ code: 1008, reason: 'rate limit; retry after 2 s' });
    expect(delivered).toEqual(['1', '2']);
    expect(limiter.calls).toHaveLength(3);
  });

  it('R41 closes with 1013 while the store is away and the rule refuses', async () => {
    const away = decisionOver([policyOutcome({ allowed: false, reason: 'store_unavailable' })]);
    const { url } = await listen({ messages: { limiter: scriptedDecider(away) } });
    const client = await connect(url);
    client.send('1');
    expect(await closed(client)).toEqual({ code: 1013, reason: 'rate limit cannot be checked; retry after 1 s' });
  });

  it('drops, or tells a function, which sends an error frame', async () => {
    const dropping = await listen({ messages: { limiter: scriptedDecider(refusal(1), allowed), onDenied: 'drop' } });
    const first = await connect(dropping.url);
    first.send('refused');
    first.send('passes');
    await until(() => dropping.delivered.length === 1);
    expect(dropping.delivered).toEqual(['passes']);
    first.terminate();

    const told: string[] = [];
    const telling = await listen({ messages: { limiter: scriptedDecider(refusal(1_500)), onDenied: (decision, data) => told.push(`${decision.reason} ${String(data)}`) } });
    const second = await connect(telling.url);
    second.send('x');
    await until(() => told.length === 1);
    expect(told).toEqual(['quota x']);
    expect(second.readyState).toBe(WebSocket.OPEN);
    second.terminate();
  });

  it('never lets a message overtake another one whose decision takes a trip', async () => {
    const answers = Array.from({ length: 300 }, (_, at) => (at % 50 === 0 ? late(allowed, 10 + (at % 7)) : allowed));
    const { url, delivered } = await listen({ messages: { limiter: scriptedDecider(...answers) } });
    const client = await connect(url);
    for (let at = 0; at < 300; at += 1) client.send(String(at));
    await until(() => delivered.length === 300);
    expect(delivered).toEqual(Array.from({ length: 300 }, (_, at) => String(at)));
    client.terminate();
  });

  it('does not read on while a decision is under way: what waits is bounded', async () => {
    let decide: (decision: Decision) => void = () => undefined;
    const limiter = scriptedDecider(new Promise<Decision>((resolve) => (decide = resolve)), allowed);
    const { url, delivered } = await listen({ messages: { limiter, maxQueued: 200 } });
    const client = await connect(url);
    const sent = 1_000;
    const body = 'x'.repeat(16_000);
    client.send('first');
    await until(() => limiter.calls.length === 1);
    for (let at = 0; at < sent; at += 1) client.send(body);
    await new Promise((resolve) => setTimeout(resolve, 200));
    // 16 MB are not in the server's queue, or it would have closed: they wait in the sockets.
    expect(client.bufferedAmount).toBeGreaterThan(1_000_000);
    expect(client.readyState).toBe(WebSocket.OPEN);
    decide(allowed);
    await until(() => delivered.length === sent + 1);
    client.terminate();
  });

  it('closes with 1008 when too many small ones wait', async () => {
    const limiter = scriptedDecider(new Promise<Decision>(() => undefined));
    const { url } = await listen({ messages: { limiter, maxQueued: 3 } });
    const client = await connect(url);
    for (let at = 0; at < 10; at += 1) client.send('x');
    expect(await closed(client)).toEqual({ code: 1008, reason: 'too many messages at once' });
  });

  it('R2 holds a shaped message back, and those behind it', async () => {
    const { url, delivered } = await listen({ messages: { limiter: scriptedDecider({ ...allowed, delayMs: 100 }, allowed) } });
    const client = await connect(url);
    const startedMs = performance.now();
    client.send('1');
    client.send('2');
    await until(() => delivered.length === 2);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(99);
    expect(delivered).toEqual(['1', '2']);
    client.terminate();
  });

  it('delivers nothing for a client that is gone', async () => {
    const limiter = scriptedDecider({ ...allowed, delayMs: 800 });
    const { url, delivered, wss } = await listen({ messages: { limiter } });
    const client = await connect(url);
    client.send('1');
    await until(() => limiter.calls.length === 1);
    for (const ws of wss.clients) ws.terminate();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(delivered).toEqual([]);
  });

  it('charges by the bytes of a message', async () => {
    const limiter = scriptedDecider(allowed);
    const { url, delivered } = await listen({ messages: { limiter, cost: (data) => (data as Buffer).length } });
    const client = await connect(url);
    client.send('12345');
    await until(() => delivered.length === 1);
    expect(limiter.calls[0]).toMatchObject({ attributes: { key_id: 'k1' }, cost: 5 });
    client.terminate();
  });

  it('R45 a bug closes with 1011 and is the error of the socket, neither a denial nor a pass', async () => {
    for (const answer of [new RangeError('cost'), Promise.reject(new RangeError('cost'))]) {
      if (answer instanceof Promise) answer.catch(() => undefined);
      const { url, delivered, errors } = await listen({ messages: { limiter: scriptedDecider(answer) } });
      const client = await connect(url);
      client.send('1');
      expect(await closed(client)).toEqual({ code: 1011, reason: 'internal error' });
      expect(delivered).toEqual([]);
      expect(errors.map(({ message }) => message)).toEqual(['cost']);
    }
  });
});

describe('WebSocket handshakes', () => {
  async function refused(url: string) {
    const client = new WebSocket(url);
    const [, response] = await once(client, 'unexpected-response');
    let body = '';
    for await (const chunk of response) body += String(chunk);
    return { status: response.statusCode, headers: response.headers, body };
  }

  it('R70 answers a refusal, sync or late, as HTTP with the fields; lets the others pass', async () => {
    for (const answer of [refusal(1_900), late(refusal(1_900), 5)]) {
      const limiter = scriptedDecider(answer, allowed);
      const { url } = await listen({ upgrade: { limiter, rule: 'chat' } });
      const { status, headers, body } = await refused(url);
      expect(status).toBe(429);
      expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '2', 'cache-control': 'no-store', 'x-ratelimit-remaining': '0', connection: 'close' });
      expect(JSON.parse(body)).toMatchObject({ status: 429, 'violated-policies': ['default'] });
      expect(limiter.calls[0]?.attributes).toEqual({ endpoint: 'GET /chat', ip: '127.0.0.1', rule: 'chat', key_id: undefined });
      (await connect(url)).terminate();
    }
  });

  it('R45 a bug is 500 and is told', async () => {
    const errors: Error[] = [];
    const { url } = await listen({ upgrade: { limiter: scriptedDecider(new RangeError('cost')), onError: (error) => errors.push(error) } });
    expect((await refused(url)).status).toBe(500);
    expect(errors.map(({ message }) => message)).toEqual(['cost']);
  });

  it('does not go on for a client that hung up while the decision was under way', async () => {
    let opened = 0;
    let decide: (decision: Decision) => void = () => undefined;
    const limiter = scriptedDecider(new Promise<Decision>((resolve) => (decide = resolve)));
    const { url, wss, sockets } = await listen({ upgrade: { limiter } });
    wss.on('connection', () => (opened += 1));
    const client = new WebSocket(url);
    client.on('error', () => undefined);
    await until(() => limiter.calls.length === 1);
    const [socket] = sockets;
    expect(socket?.listenerCount('error')).toBeGreaterThan(0);
    socket?.destroy(new Error('as a connection that is reset'));
    client.terminate();
    await new Promise((resolve) => setTimeout(resolve, 50));
    decide(allowed);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(opened).toBe(0);
  });
});
