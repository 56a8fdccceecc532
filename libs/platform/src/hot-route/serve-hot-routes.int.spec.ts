import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../app/create-app.js';
import { createMetrics, type Registry } from '../health/create-metrics.js';
import { HealthChecks } from '../health/health-checks.js';
import { createLogger } from '../logging/create-logger.js';
import type { LogLevel } from '../logging/create-logger.js';
import type { HotRoute } from './hot-route.js';

@Module({})
class NothingModule {}

const HOT = { text: '{"way":"hot"}', fields: { 'X-Way': 'hot' } };
/** Says by its body how it wants to be answered. */
const ANSWERS: Readonly<Record<string, HotRoute['answer']>> = {
  '"hot"': () => HOT,
  '"late"': async () => {
    await sleep(100);
    return HOT;
  },
  '"throws"': () => {
    throw new Error('secret');
  },
  '"rejects"': () => Promise.reject(new Error('secret')),
};

interface Running {
  readonly app: NestFastifyApplication;
  readonly port: number;
  readonly health: HealthChecks;
  readonly metrics: Registry;
  readonly lines: string[];
}

let admitted = true;

async function start(level: LogLevel = 'info'): Promise<Running> {
  const lines: string[] = [];
  const health = new HealthChecks(200);
  const metrics = createMetrics({ app: 'test', process: false });
  const app = await createApp(NothingModule, {
    logger: createLogger({ app: 'test', level, destination: { write: (line) => lines.push(line) } }),
    health,
    metrics,
    hotRoutes: [{ url: '/v1/things::count', bodyLimit: 65_536, admits: () => admitted, answer: (body) => ANSWERS[body]?.(body) }],
    routes: (fastify) => void fastify.post('/v1/things::count', (request, reply) => reply.send({ way: 'route', body: request.body })),
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  return { app, port, health, metrics, lines };
}

/** What the server says to bytes until it ends the connection, or until it has been silent for a while. */
function bytes(parts: readonly (string | Buffer)[], port = running.port): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let text = '';
    const end = (): void => void (socket.destroy(), resolve(text));
    let timer = setTimeout(end, 2_000);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      clearTimeout(timer);
      timer = setTimeout(end, 250);
    });
    socket.on('error', () => undefined).on('close', end);
    void (async () => {
      for (const part of parts) {
        socket.write(part);
        await sleep(20);
      }
    })();
  });
}

function head({ line = 'POST /v1/things:count HTTP/1.1', host = ['Host: x'], type = 'application/json', length, more = [] }: { line?: string; host?: string[]; type?: string; length: number | string; more?: string[] }): string {
  return [line, ...host, `Content-Type: ${type}`, ...(length === '' ? [] : [`Content-Length: ${length}`]), ...more, '', ''].join('\r\n');
}
const plain = (body: string, more: string[] = []): string => head({ length: Buffer.byteLength(body), more }) + body;

let running: Running;
beforeAll(async () => {
  running = await start();
});
afterEach(() => {
  admitted = true;
});
afterAll(() => running.app.close());

describe('a request of which nothing is wrong', () => {
  it('is answered past Fastify, with the fields of every answer', async () => {
    const text = await bytes([plain('"hot"', ['X-Request-Id: mine', 'Connection: keep-alive'])]);
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(text).toMatch(/\r\nx-request-id: mine\r\n/);
    expect(text).toMatch(/\r\ncache-control: no-store\r\n/);
    expect(text).toMatch(/\r\nX-Way: hot\r\n/);
    expect(text).toMatch(/\r\nConnection: keep-alive\r\n/);
    expect(text.endsWith('\r\n\r\n{"way":"hot"}')).toBe(true);
    expect(await bytes([plain('"hot"')])).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
  });

  it('however its bytes arrive', async () => {
    expect(await bytes(plain('"hot"').split(/(?<=\r\n\r\n|")/))).toContain('"way":"hot"');
  });

  it('one after the other on a connection, in their order, and whoever is answered how', async () => {
    const text = await bytes([plain('"late"') + plain('"hot"') + plain('[1]') + plain('"hot"') + plain('"late"') + 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n']);
    expect(text.match(/"way":"\w+"|"status":"ok"/g)).toEqual(['"way":"hot"', '"way":"hot"', '"way":"route"', '"way":"hot"', '"way":"hot"', '"status":"ok"']);
  });

  it('ends the connection where the app stops meanwhile', async () => {
    const own = await start();
    const answer = bytes([plain('"late"')], own.port);
    await sleep(50);
    own.health.startClosing();
    expect(await answer).toMatch(/\r\nconnection: close\r\n[^]*"way":"hot"/);
    await own.app.close();
  });

  it('is counted as the route counts', async () => {
    const own = await start();
    for (const body of ['"hot"', '"hot"', '[1]', '{']) await bytes([plain(body)], own.port);
    const text = await own.metrics.metrics();
    expect(text).toMatch(/duration_seconds_count{app="test",method="POST",route="\/v1\/things:count",status="200"} 3/);
    expect(text).toMatch(/duration_seconds_count{app="test",method="POST",route="\/v1\/things:count",status="400"} 1/);
    await own.app.close();
  });
});

describe('every other request is the route’s', () => {
  it.each<[string, string, RegExp]>([
    ['a query', head({ line: 'POST /v1/things:count?x=1 HTTP/1.1', length: 5 }) + '"hot"', /^HTTP\/1.1 200 .*"way":"route","body":"hot"/s],
    ['another method', head({ line: 'PUT /v1/things:count HTTP/1.1', length: 5 }) + '"hot"', /^HTTP\/1.1 405 /],
    ['HTTP/1.0', head({ line: 'POST /v1/things:count HTTP/1.0', length: 5 }) + '"hot"', /"way":"route"/],
    ['no Host', head({ host: [], length: 5 }) + '"hot"', /^HTTP\/1.1 400 .*Host is missing/s],
    ['two Hosts', head({ host: ['Host: x', 'host: x'], length: 5 }) + '"hot"', /^HTTP\/1.1 400 .*more than once/s],
    ['a charset', head({ type: 'application/json; charset=utf-8', length: 5 }) + '"hot"', /"way":"route"/],
    ['another type', head({ type: 'text/plain', length: 5 }) + '"hot"', /^HTTP\/1.1 415 /],
    ['chunks', head({ length: '', more: ['Transfer-Encoding: chunked'] }) + '5\r\n"hot"\r\n0\r\n\r\n', /"way":"route","body":"hot"/],
    ['an expected 100', head({ length: 5, more: ['Expect: 100-continue'] }) + '"hot"', /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 .*"way":"route"/s],
    ['another expectation', head({ length: 5, more: ['Expect: more'] }) + '"hot"', /^HTTP\/1.1 417 /],
    ['an encoding', head({ length: 5, more: ['Content-Encoding: gzip'] }) + '"hot"', /"way":"route"/],
    ['an upgrade', head({ length: 5, more: ['Upgrade: h2c', 'Connection: upgrade'] }) + '"hot"', /"way":"route"/],
    ['an end of the connection', head({ length: 5, more: ['Connection: close'] }) + '"hot"', /"way":"route"/],
    ['no body', head({ length: 0 }), /^HTTP\/1.1 400 .*malformed-json/s],
    ['too long a body', head({ length: 65_537 }) + '"hot"', /^HTTP\/1.1 413 /],
    ['no length that is one', head({ length: '5, 5' }) + '"hot"', /^HTTP\/1.1 400 /],
    ['a body that has another answer', plain('{"a":[1]}'), /"way":"route","body":{"a":\[1\]}/],
    ['a body that is no JSON', plain('{'), /^HTTP\/1.1 400 .*malformed-json/s],
    ['a hostile name', plain('{"__proto__":1}'), /^HTTP\/1.1 400 .*malformed-json/s],
  ])('%s', async (_name, request, answer) => {
    expect(await bytes([request])).toMatch(answer);
  });

  it('with all of its body, in whatever pieces', async () => {
    const body = JSON.stringify({ long: 'é'.repeat(30_000) });
    const request = Buffer.from(plain(body));
    const pieces = Array.from({ length: 6 }, (_, at) => request.subarray(at * 12_000, (at + 1) * 12_000));
    expect((await bytes(pieces)).endsWith(`\r\n\r\n{"way":"route","body":${body}}`)).toBe(true);
  });

  it('with bytes that are no UTF-8', async () => {
    expect(await bytes([head({ length: 5 }), Buffer.from([0x22, 0xff, 0xfe, 0xfd, 0x22])])).toMatch(/^HTTP\/1.1 400 [^]*must be UTF-8/);
  });

  it('who is not admitted, while the app stops, and at debug, where each answer is a line', async () => {
    admitted = false;
    expect(await bytes([plain('"hot"')])).toContain('"way":"route"');
    admitted = true;
    const own = await start('debug');
    expect(await bytes([plain('"hot"')], own.port)).toContain('"way":"route"');
    expect(own.lines.filter((line) => line.includes('request answered'))).toHaveLength(1);
    own.health.startClosing();
    expect(await bytes([plain('"hot"')], own.port)).toMatch(/^HTTP\/1.1 503 [^]*\r\nconnection: close\r\n/);
    await own.app.close();
  });

  it.each(['"throws"', '"rejects"'])('what failed by %s is a fault of the service, and logged', async (body) => {
    const text = await bytes([plain(body, ['X-Request-Id: odd']) + plain('"hot"')]);
    expect(text).toMatch(/^HTTP\/1.1 500 [^]*problem\+json[^]*"request_id":"odd"[^]*"way":"hot"/);
    expect(text).not.toContain('secret');
    expect(running.lines.at(-2)).toMatch(/"reqId":"odd".*secret.*request failed/);
  });

  it('a client that goes before its body is whole, or before its answer, troubles nobody', async () => {
    for (const request of [head({ length: 50 }) + '"hot', plain('"late"'), plain('"rejects"')]) {
      const socket = connect(running.port, '127.0.0.1', () => socket.write(request));
      await sleep(30);
      socket.destroy();
    }
    await sleep(150);
    expect(await bytes([plain('"hot"')])).toContain('"way":"hot"');
  });
});
