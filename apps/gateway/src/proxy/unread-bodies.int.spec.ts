import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bytesTo } from '../../test/bytes-to.js';
import { startStage, type Stage, type StageOptions } from '../../test/running-gateway.js';

const KEY = 'Host: a\r\nX-Api-Key: demo-free\r\n';
const ONE = [{ rule_id: 'one', version: 1, limit: 1, window_seconds: 60 }];
const EDGE = { edgeLimit: { limit: 2, windowMs: 60_000 } };

describe('R76 no body is read before its request may pass', () => {
  let stage: Stage;
  const sockets: Socket[] = [];
  async function open(options: StageOptions): Promise<Stage> {
    return (stage = await startStage(options));
  }
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await stage.close();
  });
  function raw(bytes: string): { readonly socket: Socket; readonly heard: () => string } {
    const socket = connect(Number(new URL(stage.gateway.url).port), '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(bytes);
    return { socket, heard: () => text };
  }
  async function until(done: () => boolean): Promise<void> {
    for (let tries = 0; tries < 300 && !done(); tries += 1) await pause(10);
  }

  it('who waits for 100 Continue is decided on first: no 100 before a 429', async () => {
    await open({ rules: ONE });
    const head = `POST /x HTTP/1.1\r\n${KEY}Expect: 100-continue\r\nContent-Length: 3\r\n`;
    const { socket, heard } = raw(`${head}\r\n`);
    await until(() => heard() !== '');
    expect(heard()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('abc');
    await until(() => heard().includes('"bytes":3'));
    expect(heard()).toMatch(/\r\n\r\nHTTP\/1.1 200 [^]*"bytes":3/);
    expect(stage.upstream.seen[0]?.headers).not.toHaveProperty('expect');
    expect(await bytesTo(stage.gateway.url, `${head}\r\n`)).toMatch(/^HTTP\/1.1 429 [^]*connection: close/i);
    expect(stage.upstream.seen).toHaveLength(1);
  });

  it('an upstream that cannot be reached takes no body either', async () => {
    await open({ config: { upstreamUrl: 'http://127.0.0.1:1' } });
    expect(await bytesTo(stage.gateway.url, `POST /x HTTP/1.1\r\n${KEY}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`)).toMatch(/^HTTP\/1.1 502 /);
  });

  it.each(['Transfer-Encoding: chunked', `Content-Length: ${1024 ** 3}`])('an endless body behind a refusal is cut, and its client can read why: %s', async (field) => {
    await open({ rules: ONE });
    await stage.ask('/x');
    const { socket, heard } = raw(`POST /x HTTP/1.1\r\n${KEY}${field}\r\n\r\n`);
    let given = 0;
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    const feed = setInterval(() => socket.writable && socket.write(chunk) && (given += chunk.length), 5);
    const startedMs = performance.now();
    await once(socket, 'close');
    clearInterval(feed);
    expect(performance.now() - startedMs).toBeLessThan(3000);
    expect(heard()).toMatch(/^HTTP\/1.1 429 [^]*connection: close[^]*"status":429/i);
    expect(given).toBeLessThan(50_000_000);
  });

  it('a short one is read, and the connection serves on', async () => {
    await open({ rules: ONE });
    await stage.ask('/x');
    const post = `POST /x HTTP/1.1\r\n${KEY}Content-Length: 3\r\n`;
    const answer = await bytesTo(stage.gateway.url, `${post}\r\nabc${post}\r\nabc${post}Connection: close\r\n\r\nabc`);
    expect(answer.match(/HTTP\/1.1 429/g)).toHaveLength(3);
  });

  it.each([
    ['an expectation nobody knows', `GET /x HTTP/1.1\r\n${KEY}Expect: wonders\r\n\r\n`, 417],
    ['CONNECT', `CONNECT a:80 HTTP/1.1\r\n${KEY}Connection: close\r\n\r\n`, 405],
    ['a path that cannot be decoded', `GET /%zz HTTP/1.1\r\n${KEY}Connection: close\r\n\r\n`, 400],
    ['a transfer coding beside chunked', `POST /x HTTP/1.1\r\n${KEY}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 501],
  ])('%s is counted by the edge, and answered', async (_name, bytes, status) => {
    await open({ rules: [], config: EDGE });
    for (let at = 0; at < 2; at += 1) expect(await bytesTo(stage.gateway.url, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*problem\\+json`));
    expect(await bytesTo(stage.gateway.url, bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))).toMatch(/^HTTP\/1.1 429 /);
    expect(stage.upstream.seen).toHaveLength(0);
  });

  it('R44 connections without a request do not hold up a stop; a request that is on its way is answered', async () => {
    await open({ rules: [] });
    await stage.ask('/x');
    const silent = [raw(''), raw('GET /x HT'), raw(`GET /x HTTP/1.1\r\n${KEY}`), raw(`GET /x HTTP/1.1\r\n${KEY}\r\nGET /x HTTP/1.1\r\n`)];
    await pause(100);
    stage.upstream.answer = (_request, response) => void setTimeout(() => response.end('late'), 600);
    const late = raw(`GET /late HTTP/1.1\r\n${KEY}`);
    await pause(50);
    const startedMs = performance.now();
    const closing = stage.gateway.close();
    late.socket.write('\r\n');
    await closing;
    expect(performance.now() - startedMs).toBeLessThan(2000);
    await until(() => late.socket.destroyed);
    expect(late.heard()).toMatch(/^HTTP\/1.1 200 [^]*late$/);
    await until(() => silent.every(({ socket }) => socket.destroyed));
    expect(silent.map(({ socket }) => socket.destroyed)).toEqual([true, true, true, true]);
  });
});
