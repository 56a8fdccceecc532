import { Body, Controller, Get, Module, Param, Post, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Type } from 'class-transformer';
import { IsInt, IsObject, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import { connect } from 'node:net';
import { createMetrics } from '../health/create-metrics.js';
import { HealthChecks } from '../health/health-checks.js';
import { createLogger } from '../logging/create-logger.js';
import { problem, problemType } from '../problem/problem.js';
import { ProblemException } from '../problem/problem-exception.js';
import { sendProblem } from '../problem/send-problem.js';
import { closeGracefully } from './close-gracefully.js';
import { type AppOptions, createApp } from './create-app.js';

class Inner {
  @IsInt()
  @Min(1)
  count!: number;
}

class Thing {
  @IsString()
  @MaxLength(10)
  name!: string;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => Inner)
  'a/b~c'?: Inner;
}

class Filter {
  @IsOptional()
  @IsString()
  plan?: string;
}

class DatabaseDown extends Error {}

@Controller('things')
class ThingsController {
  @Post()
  create(@Body() thing: Thing): Thing {
    return thing;
  }

  @Get()
  list(@Query() filter: Filter): Filter {
    return filter;
  }

  @Get('boom')
  boom(): never {
    throw new Error('password=hunter2 at db.internal');
  }

  @Get('down')
  down(): never {
    throw new DatabaseDown('at 10.0.0.1');
  }

  @Get('teapot')
  teapot(): never {
    throw new ProblemException(problem(418, { type: problemType('teapot'), title: 'Short and stout' }), { 'x-pot': '1' });
  }

  @Get('slow')
  async slow(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return 'done';
  }

  @Get(':id')
  one(@Param('id') id: string): { id: string } {
    return { id };
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

interface Running {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly port: number;
  readonly health: HealthChecks;
  readonly lines: string[];
}

async function start(options: Pick<AppOptions, 'requestTimeoutMs'> = {}): Promise<Running> {
  const lines: string[] = [];
  const health = new HealthChecks(200);
  const metrics = createMetrics({ app: 'test', process: false });
  const logger = createLogger({ app: 'test', level: 'debug', destination: { write: (line) => lines.push(line) } });
  const app = await createApp(ThingsModule, {
    logger,
    health,
    metrics,
    bodyLimit: 70_000,
    ...options,
    translators: [(error) => (error instanceof DatabaseDown ? { problem: problem(503), headers: { 'retry-after': '5' } } : undefined)],
    routes: (fastify) => {
      fastify.get('/raw', (_request, reply) => sendProblem(reply, problem(429), { 'retry-after': '3' }));
      fastify.get('/raw-throws', () => {
        throw new Error('secret');
      });
      fastify.post('/v1/things::count', (_request, reply) => reply.send({ count: 1 }));
    },
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  return { app, url: `http://127.0.0.1:${port}`, port, health, lines };
}

let running: Running;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.app.close());

/** The whole answer to bytes that a proper client would not send; ends when the server closes. */
function bytes(request: string | Buffer, port = running.port): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function call(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(`${running.url}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

function post(body: string | Buffer<ArrayBuffer>, contentType = 'application/json'): Promise<Answer> {
  return call('/things', { method: 'POST', body, headers: { 'content-type': contentType } });
}

function expectProblem(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.body).toMatchObject({ status, type: expect.any(String), title: expect.any(String), request_id: answer.headers.get('x-request-id') });
}

describe('problem+json (RFC 9457) for every error', () => {
  it('points at each field that is wrong', async () => {
    const answer = await post(JSON.stringify({ name: 'much too long a name', 'a/b~c': { count: 0 }, extra: 1 }));
    expectProblem(answer, 400);
    const errors = answer.body['errors'] as { pointer: string }[];
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/a~1b~0c/count', '/extra', '/name']);
  });

  it.each([['"text"'], ['5'], ['null'], ['[]'], ['[{"name":"x"}]'], ['true']])('a body %s is no object', async (body) => {
    const answer = await post(body);
    expectProblem(answer, 400);
    expect(answer.body['errors']).toEqual([{ pointer: '', detail: 'must be a JSON object' }]);
  });

  it('converts no type: "1" is not 1, 1 is not "1"', async () => {
    expectProblem(await post('{"name":1}'), 400);
    expectProblem(await post('{"name":"x","a/b~c":{"count":"1"}}'), 400);
    expectProblem(await post('{"name":"x","a/b~c":[]}'), 400);
  });

  it('malformed JSON, no body, forms, other media types', async () => {
    for (const broken of ['{"name":', '']) {
      const answer = await post(broken);
      expectProblem(answer, 400);
      expect(answer.body['type']).toBe('urn:sluice:problem:malformed-json');
    }
    expectProblem(await call('/things', { method: 'POST' }), 400);
    expectProblem(await post('name=x', 'application/x-www-form-urlencoded'), 415);
    expectProblem(await post('x', 'text/plain'), 415);
    const xml = await post('<a/>', 'application/xml');
    expectProblem(xml, 415);
    expect(xml.body).toMatchObject({ type: 'urn:sluice:problem:unsupported-media-type', detail: expect.stringContaining('application/json') });
  });

  it.each(['{"__proto__":{"name":"x"}}', '{"constructor":{"prototype":{}}}', '{"constructor":1,"name":"x"}', '{"then":1,"name":"x"}', '{"toString":{},"name":"x"}', '{"hasOwnProperty":1,"name":"x"}', '{"name":{"toString":1}}'])(
    'a hostile name in %s is a 400',
    async (body) => {
      expectProblem(await post(body), 400);
    },
  );

  it.each([[0xff], [0xfe], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xc3]])('a body with the bytes %j, which are not UTF-8', async (...broken: number[]) => {
    const answer = await post(Buffer.concat([Buffer.from('{"name":"'), Buffer.from(broken), Buffer.from('"}')]));
    expectProblem(answer, 400);
    expect(answer.body['errors']).toEqual([{ pointer: '', detail: 'must be UTF-8' }]);
  });

  it('UTF-8 and a byte order mark pass; of two values of one name the last counts', async () => {
    expect((await post('\ufeff{"name":"é\u{1F600}\ufffd"}')).body).toEqual({ name: 'é\u{1F600}\ufffd' });
    expect((await post('{"name":"a","name":"b"}')).body).toEqual({ name: 'b' });
  });

  it('a body that is too large is 413, one that nests too deep 400', async () => {
    expectProblem(await post(JSON.stringify({ name: 'x'.repeat(80_000) })), 413);
    expectProblem(await post(`{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`), 400);
  });

  it('404 without a route, 405 with Allow where the path has other methods', async () => {
    expectProblem(await call('/nothing'), 404);
    const answer = await call('/things/7', { method: 'DELETE' });
    expectProblem(answer, 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expectProblem(await call('/v1/things:count'), 405);
    expect((await call('/v1/things:count', { method: 'POST' })).body).toEqual({ count: 1 });
  });

  it('an unexpected fault is a bare 500, logged whole under the request id', async () => {
    const answer = await call('/things/boom', { headers: { 'x-request-id': 'trace-1' } });
    expectProblem(answer, 500);
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|internal/);
    const logged = running.lines.find((line) => line.includes('hunter2'));
    expect(JSON.parse(logged ?? '{}')).toMatchObject({ level: 'error', app: 'test', reqId: 'trace-1' });
  });

  it("an app's own errors and exceptions carry their header fields", async () => {
    const down = await call('/things/down');
    expectProblem(down, 503);
    expect(down.headers.get('retry-after')).toBe('5');
    const teapot = await call('/things/teapot');
    expectProblem(teapot, 418);
    expect(teapot.headers.get('x-pot')).toBe('1');
    expect(teapot.body).toMatchObject({ type: 'urn:sluice:problem:teapot', title: 'Short and stout' });
  });

  it('raw Fastify routes answer the same way', async () => {
    const raw = await call('/raw');
    expectProblem(raw, 429);
    expect(raw.headers.get('retry-after')).toBe('3');
    expectProblem(await call('/raw-throws'), 500);
  });

  it('a query parameter that is unknown or given twice', async () => {
    expect((await call('/things?plann=x')).body['errors']).toEqual([{ pointer: '/query/plann', detail: expect.any(String) }]);
    expectProblem(await call('/things?plan=a&plan=b'), 400);
  });

  it('paths that do not decode, are too long, and bytes that are no HTTP', async () => {
    expectProblem(await call('/things/%E0%A4%A'), 400);
    expectProblem(await call(`/things/${'x'.repeat(600)}`), 414);
    expect(await bytes('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request\r\nContent-Type: application\/problem\+json/);
  });

  it.each([
    ['no Host', 400, 'GET /things HTTP/1.1\r\n\r\n'],
    ['two Hosts', 400, 'GET /things HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n'],
    ['an expectation nobody knows', 417, 'GET /things HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n'],
    ['both a length and chunks', 400, 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['too many header fields', 431, `GET /things HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('%s is %i', async (_name, status, request) => {
    const answer = await bytes(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/content-type: application\/problem\+json/i);
    expect(JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))).toMatchObject({ status });
  });

  it('HTTP/1.0 needs no Host', async () => {
    expect(await bytes('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('slow requests', () => {
  it.each([
    ['header', 'POST /things HTTP/1.1\r\nHost: a\r\n'],
    ['body', 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'],
  ])('one whose %s does not come is cut with 408', async (_name, request) => {
    const own = await start({ requestTimeoutMs: 200 });
    try {
      const started = performance.now();
      expect(await bytes(request, own.port)).toMatch(/^HTTP\/1.1 408 Request Timeout\r\nContent-Type: application\/problem\+json/);
      expect(performance.now() - started).toBeLessThan(2_000);
      expect(own.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    } finally {
      await own.app.close();
    }
  });
});

describe('request ids', () => {
  it('takes a plain id, replaces any other', async () => {
    expect((await call('/things', { headers: { 'x-request-id': 'a.b-1' } })).headers.get('x-request-id')).toBe('a.b-1');
    for (const bad of ['has space', 'x'.repeat(129), '{"a":1}']) {
      expect((await call('/things', { headers: { 'x-request-id': bad } })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('R93 health and metrics', () => {
  it('healthz answers, readyz names each check', async () => {
    expect((await call('/healthz')).body).toEqual({ status: 'ok' });
    running.health.register('store', () => ({ ok: true, detail: 'PONG' }));
    expect((await call('/readyz')).body).toEqual({ status: 'ready', checks: { store: { ok: true, detail: 'PONG' } } });
    running.health.register('hangs', () => new Promise(() => undefined));
    running.health.register('throws', () => {
      throw new Error('gone');
    });
    const answer = await call('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.body['checks']).toEqual({
      store: { ok: true, detail: 'PONG' },
      hangs: { ok: false, detail: 'no answer within 200 ms' },
      throws: { ok: false, detail: 'gone' },
    });
  });

  it('labels hold the template: made-up paths and methods make no series', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => call(`/things/${index}`)));
    await Promise.all(Array.from({ length: 50 }, (_, index) => call(`/made/up/${index}`)));
    const text = await (await fetch(`${running.url}/metrics`)).text();
    const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map((match) => match[1]));
    expect(routes).toContain('/things/:id');
    expect(routes).toContain('unmatched');
    await call('/v1/things:count', { method: 'POST' });
    expect(await (await fetch(`${running.url}/metrics`)).text()).toContain('route="/v1/things:count"');
    expect(running.lines.some((line) => line.includes('"route":"/v1/things:count"'))).toBe(true);
    expect([...routes].filter((route) => /\d/.test(route?.replace('v1', '') ?? ''))).toEqual([]);
    expect(text).toContain('app="test"');
  });
});

describe('R44 graceful stop', () => {
  it('answers what is in flight, refuses new requests on kept-alive connections, is not ready, and ends', async () => {
    const own = await start();
    const slow = fetch(`${own.url}/things/slow`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const started = performance.now();
    const closing = closeGracefully(own.app, own.health, 5_000);
    const answer = await slow;
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('done');
    expect(await closing).toBe(true);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect((await own.health.readiness()).ready).toBe(false);
    await expect(fetch(`${own.url}/healthz`)).rejects.toThrow();
  });

  it('is not held up by connections that have sent nothing, half a head, or half of a second one', async () => {
    const own = await start();
    const sent = ['', 'GET /things HT', 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\nGET /healthz HT'];
    const sockets = sent.map(() => connect(own.port, '127.0.0.1').on('error', () => undefined).resume());
    sockets.forEach((socket, at) => socket.write(sent[at] ?? ''));
    const slow = fetch(`${own.url}/things/slow`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const started = performance.now();
    expect(await closeGracefully(own.app, own.health, 5_000)).toBe(true);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect((await slow).status).toBe(200);
  });

  it('cuts what is still busy at the deadline', async () => {
    const own = await start();
    own.app.getHttpAdapter().getInstance();
    const socket = connect(own.port, '127.0.0.1', () => socket.write('POST /things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'));
    socket.on('error', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await closeGracefully(own.app, own.health, 300)).toBe(false);
  });
});
