import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { FLAG, FRAME, type Frame, RawHttp2 } from '../../test/raw-http2.js';
import type { Methods, UnaryHandler } from './call.js';
import type { CallRecord } from './call-settings.js';
import { createGrpcServer, type GrpcServer, type GrpcServerOptions } from './create-grpc-server.js';
import { FRAME_BYTES } from './frame.js';

const ECHO = '/test.Test/Echo';
const raw = (bytes: Buffer): Buffer => bytes;
/** A message as handlers return it. */
const roomy = (message: Buffer): Buffer => Buffer.concat([Buffer.alloc(FRAME_BYTES), message]);
/** A message as it is sent. */
const framed = (message: Buffer | string, flag = 0): Buffer => {
  const frame = Buffer.concat([Buffer.alloc(FRAME_BYTES), Buffer.from(message)]);
  frame[0] = flag;
  frame.writeUInt32BE(frame.length - FRAME_BYTES, 1);
  return frame;
};
const HEAD = { ':method': 'POST', ':path': ECHO, 'content-type': 'application/grpc', te: 'trailers' };

describe('R73 gRPC over node:http2, calls of one message', () => {
  let server: GrpcServer;
  let seen: Buffer[];
  let calls: CallRecord[];
  let errors: unknown[];
  const closers: (() => unknown)[] = [];

  async function start(handle: UnaryHandler, over: Partial<GrpcServerOptions> = {}): Promise<GrpcServer> {
    seen = [];
    calls = [];
    errors = [];
    const methods: Methods = new Map([
      [
        ECHO,
        {
          kind: 'unary',
          handle: (message, context) => {
            seen.push(message);
            return handle(message, context);
          },
        },
      ],
    ]);
    server = await createGrpcServer({ methods, onCall: (call) => calls.push(call), onError: (error) => errors.push(error), ...over }, { host: '127.0.0.1', port: 0 });
    closers.push(() => server.close(100));
    return server;
  }
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** By the official client. */
  function client(): Client {
    const opened = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
    closers.push(() => opened.close());
    return opened;
  }
  function call(by: Client, message: Buffer, { path = ECHO, deadlineMs, metadata }: { path?: string; deadlineMs?: number; metadata?: Metadata } = {}): Promise<Buffer | ServiceError> {
    return new Promise((resolve) => {
      const options = deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
      const answer = (error: ServiceError | null, value?: Buffer): void => resolve(error ?? value ?? Buffer.alloc(0));
      if (metadata === undefined) by.makeUnaryRequest(path, raw, raw, message, options, answer);
      else by.makeUnaryRequest(path, raw, raw, message, metadata, options, answer);
    });
  }

  /** By hand. */
  function session(): ClientHttp2Session {
    const opened = connect(`http://127.0.0.1:${server.port}`);
    opened.on('error', () => undefined);
    closers.push(() => opened.destroy());
    return opened;
  }
  interface RawAnswer {
    readonly head: IncomingHttpHeaders;
    readonly trailers: IncomingHttpHeaders;
    readonly body: Buffer;
  }
  function answerOf(stream: ClientHttp2Stream): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      let head: IncomingHttpHeaders = {};
      let trailers: IncomingHttpHeaders = {};
      const body: Buffer[] = [];
      stream.on('response', (fields) => (head = fields));
      stream.on('trailers', (fields) => (trailers = fields));
      stream.on('data', (chunk: Buffer) => body.push(chunk));
      stream.on('error', reject);
      stream.on('close', () => resolve({ head, trailers, body: Buffer.concat(body) }));
    });
  }
  function send(parts: readonly Buffer[], head: Record<string, string> = {}): Promise<RawAnswer> {
    const stream = session().request({ ...HEAD, ...head });
    const answer = answerOf(stream);
    for (const part of parts) stream.write(part);
    stream.end();
    return answer;
  }
  const statusOf = ({ head, trailers }: RawAnswer): string | undefined => [trailers['grpc-status'] ?? head['grpc-status']].flat()[0];
  const messageOf = ({ head, trailers }: RawAnswer): string => decodeURIComponent(String(trailers['grpc-message'] ?? head['grpc-message']));

  it('answers at once, and by a promise', async () => {
    await start((message) => (message.length > 3 ? Promise.resolve(roomy(message)) : roomy(message)));
    const by = client();
    for (const text of ['', 'a', 'a longer one', 'x'.repeat(40_000)]) expect(await call(by, Buffer.from(text))).toEqual(Buffer.from(text));
    const many = await Promise.all(Array.from({ length: 300 }, (_, i) => call(by, Buffer.from(String(i)))));
    expect(many.map(String)).toEqual(Array.from({ length: 300 }, (_, i) => String(i)));
    expect(calls).toHaveLength(304);
    expect(new Set(calls.map(({ method, code }) => `${method} ${code}`))).toEqual(new Set([`${ECHO} 0`]));
  });

  it('says over the wire what gRPC says: head, one message, trailers', async () => {
    await start(roomy);
    const { head, trailers, body } = await send([framed('hello')]);
    expect(Object.entries(head)).toEqual([[':status', 200], ['content-type', 'application/grpc']]);
    expect(body).toEqual(framed('hello'));
    expect(Object.entries(trailers)).toEqual([['grpc-status', '0']]);
  });

  it('puts messages together however they are cut', async () => {
    await start(roomy);
    const message = framed('0123456789'.repeat(100));
    for (const size of [1, 3, 5, 6, 250, 999]) {
      const parts = Array.from({ length: Math.ceil(message.length / size) }, (_, i) => message.subarray(i * size, (i + 1) * size));
      const stream = session().request(HEAD);
      const answer = answerOf(stream);
      for (const part of size < 6 ? parts.slice(0, 40) : parts) {
        stream.write(part);
        await sleep(1);
      }
      if (size < 6) stream.write(message.subarray(40 * size));
      stream.end();
      expect((await answer).body).toEqual(message);
    }
  });

  it('answers with a fault of the handler in the head alone, its message percent-encoded', async () => {
    await start(() => ({ code: 3, message: 'domain must not be empty: 100 % of “it”\n' }));
    const answer = await send([framed('x')]);
    expect(answer.head).toMatchObject({ ':status': 200, 'grpc-status': '3', 'grpc-message': 'domain must not be empty: 100 %25 of %E2%80%9Cit%E2%80%9D%0A' });
    expect(Object.entries(answer.trailers)).toEqual([]);
    const error = await call(client(), Buffer.from('x'));
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, details: 'domain must not be empty: 100 % of “it”\n' });
  });

  it('answers INTERNAL where a handler throws, and tells the caller nothing of it', async () => {
    await start((message) => {
      if (message.toString() === 'now') throw new Error('secret');
      return Promise.reject(new Error('secret, later'));
    });
    const by = client();
    for (const text of ['now', 'later']) expect(await call(by, Buffer.from(text))).toMatchObject({ code: status.INTERNAL, details: 'internal error' });
    expect(errors.map(String)).toEqual(['Error: secret', 'Error: secret, later']);
  });

  it('answers UNIMPLEMENTED for other paths, which are one in what is counted', async () => {
    await start(roomy);
    for (const path of ['/test.Test/Other', '/nothing', '/test.Test/echo', `${ECHO}/`]) expect(await call(client(), Buffer.from('x'), { path })).toMatchObject({ code: status.UNIMPLEMENTED });
    expect(calls.map(({ method, code }) => [method, code])).toEqual(Array(4).fill(['other', 12]));
  });

  it.each([
    ['application/grpc', '0'],
    ['application/grpc+proto', '0'],
    ['application/grpc; charset=utf-8', '0'],
    ['application/grpc+json', '12'],
  ])('takes content type %s with status %s', async (type, expected) => {
    await start(roomy);
    expect(statusOf(await send([framed('x')], { 'content-type': type }))).toBe(expected);
  });

  it.each([
    [415, { 'content-type': 'application/json' }],
    [415, { 'content-type': 'application/grpc-web' }],
    [405, { ':method': 'PUT' }],
  ])('answers %i in HTTP to who does not speak gRPC: %j', async (expected, head) => {
    await start(roomy);
    expect((await send([framed('x')], head)).head[':status']).toBe(expected);
    const without = session().request({ ':method': 'GET', ':path': ECHO });
    expect((await answerOf(without)).head[':status']).toBe(405);
    expect(seen).toHaveLength(0);
  });

  it('refuses compression, and says what it takes', async () => {
    await start(roomy);
    const answer = await send([framed('x', 1)], { 'grpc-encoding': 'gzip' });
    expect(answer.head).toMatchObject({ 'grpc-status': '12', 'grpc-accept-encoding': 'identity' });
    expect(statusOf(await send([framed('x', 1)]))).toBe('13');
    expect(statusOf(await send([framed('x', 2)]))).toBe('13');
    expect(statusOf(await send([framed('x')], { 'grpc-encoding': 'identity' }))).toBe('0');
  });

  it('refuses a message that is too long as soon as its length is there', async () => {
    await start(roomy, { maxMessageBytes: 65_536 });
    const most = Buffer.alloc(65_536, 'x');
    expect(await call(client(), most)).toEqual(most);
    expect(await call(client(), Buffer.alloc(65_537))).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: 'a message of 65537 bytes; at most 65536 are taken' });
    const stream = session().request(HEAD);
    const answer = answerOf(stream);
    stream.write(Buffer.from([0, 0xff, 0xff, 0xff, 0xff]));
    expect(statusOf(await answer)).toBe('8');
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['no message', []],
    ['the message is cut off', [framed('hello').subarray(0, 7)]],
    ['the message is cut off', [Buffer.from([0, 0])]],
  ])('answers INTERNAL: %s', async (why, parts) => {
    await start(roomy);
    const answer = await send(parts);
    expect([statusOf(answer), messageOf(answer)]).toEqual(['13', why]);
  });

  it('R7 decides nothing for two messages, wherever the second begins', async () => {
    await start(roomy);
    const two = Buffer.concat([framed('a'), framed('b')]);
    for (const parts of [[two], [framed('a'), framed('b')], [two.subarray(0, 8), two.subarray(8)], [two.subarray(0, 3), two.subarray(3)]]) {
      const answer = await send(parts);
      expect([statusOf(answer), messageOf(answer)]).toEqual(['12', 'more than one message in a call of one']);
    }
    expect(seen).toHaveLength(0);
  });

  it('asks who calls before the message is there', async () => {
    const remotes: unknown[] = [];
    await start(roomy, {
      mayCall: ({ headers, socket }) => {
        remotes.push(socket.remoteAddress);
        return headers.authorization === 'Bearer right';
      },
    });
    const stream = session().request(HEAD);
    expect(statusOf(await answerOf(stream))).toBe('16');
    expect(statusOf(await send([framed('x')], { authorization: 'Bearer wrong' }))).toBe('16');
    expect(statusOf(await send([framed('x')], { authorization: 'Bearer right' }))).toBe('0');
    expect(seen).toHaveLength(1);
    expect(remotes).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  });

  describe('time', () => {
    it('answers DEADLINE_EXCEEDED when grpc-timeout is over, and drops what comes later', async () => {
      let release: (message: Buffer) => void = () => undefined;
      await start(() => new Promise((resolve) => (release = resolve)));
      const startedMs = performance.now();
      const answer = await send([framed('x')], { 'grpc-timeout': '60m' });
      expect(performance.now() - startedMs).toBeGreaterThan(50);
      expect(statusOf(answer)).toBe('4');
      release(roomy(Buffer.from('late')));
      await sleep(5);
      expect(calls.map(({ code }) => code)).toEqual([4]);
      expect(await call(client(), Buffer.from('x'), { deadlineMs: 50 })).toMatchObject({ code: status.DEADLINE_EXCEEDED });
    });

    it('R7 decides nothing when the message comes too late', async () => {
      await start(roomy);
      const stream = session().request({ ...HEAD, 'grpc-timeout': '20000u' });
      const answer = answerOf(stream);
      await sleep(40);
      stream.end(framed('x'));
      expect(statusOf(await answer)).toBe('4');
      expect(seen).toHaveLength(0);
    });

    it.each([
      ['99999999H', '0'],
      ['1S', '0'],
      ['500000u', '0'],
      ['999999999S', '13'],
      ['1', '13'],
      ['-1S', '13'],
      ['1.5S', '13'],
      ['1s', '13'],
      ['S', '13'],
    ])('reads grpc-timeout %s with status %s', async (timeout, expected) => {
      await start((message) => Promise.resolve(roomy(message)));
      expect(statusOf(await send([framed('x')], { 'grpc-timeout': timeout }))).toBe(expected);
    });

    it('gives up a request that does not come to its end', async () => {
      await start(roomy, { maxRequestMs: 50 });
      const stream = session().request(HEAD);
      const answer = answerOf(stream);
      stream.write(framed('hello').subarray(0, 6));
      const given = await answer;
      expect([statusOf(given), messageOf(given)]).toEqual(['4', 'the message did not come in time']);
    });

    it('ends a connection on which nothing happens', async () => {
      await start(roomy, { idleMs: 60 });
      const opened = session();
      await once(opened, 'connect');
      const [code] = (await once(opened, 'goaway')) as [number];
      expect(code).toBe(constants.NGHTTP2_NO_ERROR);
      while (server.connections > 0) await sleep(5);
    });
  });

  describe('cancellation', () => {
    it('R7 decides nothing for a call that is reset before it is whole', async () => {
      await start(roomy);
      const raw = await RawHttp2.open(server.port);
      closers.push(() => raw.socket.destroy());
      for (const [i, code] of [constants.NGHTTP2_CANCEL, constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_INTERNAL_ERROR].entries()) {
        raw.call(2 * i + 1, ECHO);
        raw.send(FRAME.data, 0, 2 * i + 1, framed('hello'));
        await sleep(20);
        raw.send(FRAME.reset, 0, 2 * i + 1, Buffer.from([0, 0, 0, code]));
      }
      while (calls.length < 3) await sleep(5);
      expect(seen).toHaveLength(0);
      expect(calls.map(({ code }) => code)).toEqual([1, 1, 1]);
    });

    it('takes a call that is given up while it is decided, and one whose connection is lost', async () => {
      const releases: ((message: Buffer) => void)[] = [];
      await start(() => new Promise((resolve) => releases.push(resolve)));
      const stream = session().request(HEAD);
      stream.end(framed('x'));
      const lost = session();
      const other = lost.request(HEAD);
      other.on('error', () => undefined);
      other.end(framed('y'));
      while (releases.length < 2) await sleep(5);
      stream.close(constants.NGHTTP2_CANCEL);
      lost.destroy();
      while (calls.length < 2) await sleep(5);
      for (const release of releases) release(roomy(Buffer.from('late')));
      await sleep(10);
      expect(calls.map(({ code }) => code)).toEqual([1, 1]);
      expect(errors).toEqual([]);
    });
  });

  describe('R44 a stop', () => {
    it('answers what is under way, and says what it has not taken', async () => {
      const releases: (() => void)[] = [];
      await start((message) => new Promise((resolve) => releases.push(() => resolve(roomy(message)))));
      const raw = await RawHttp2.open(server.port);
      closers.push(() => raw.socket.destroy());
      const ask = (streamId: number): void => {
        raw.call(streamId, ECHO);
        raw.send(FRAME.data, FLAG.endStream, streamId, framed(String(streamId)));
      };
      ask(1);
      while (releases.length < 1) await sleep(5);
      const closing = server.close(5_000);
      const isGoaway = ({ type }: Frame): boolean => type === FRAME.goaway;
      expect((await raw.next(isGoaway)).payload.readUInt32BE(0)).toBe(1);
      ask(3);
      await sleep(20);
      for (const release of releases) release();
      expect((await raw.next(({ type, streamId }) => type === FRAME.data && streamId === 1)).payload).toEqual(framed('1'));
      expect(await closing).toBe(true);
      expect(calls.map(({ code }) => code)).toEqual([0]);
    });

    it('by the official client: each of many calls is answered, or was not begun', async () => {
      await start((message) => sleep(2).then(() => roomy(message)));
      const by = client();
      const answers: Promise<Buffer | ServiceError>[] = [];
      const sending = (async () => {
        for (let i = 0; i < 100; i += 1) {
          answers.push(call(by, Buffer.from(String(i))));
          await sleep(1);
        }
      })();
      await sleep(50);
      expect(await server.close(5_000)).toBe(true);
      await sending;
      const failed = (await Promise.all(answers)).filter((answer) => !Buffer.isBuffer(answer));
      // For want of another server.
      expect(new Set(failed.map((answer) => (Buffer.isBuffer(answer) ? 0 : answer.code)))).toEqual(new Set([status.UNAVAILABLE]));
      expect(new Set(calls.map(({ code }) => code))).toEqual(new Set([0]));
      expect(answers.length - failed.length).toBe(calls.length);
    });

    it('cuts at the deadline what does not end', async () => {
      await start(() => new Promise(() => undefined));
      const stream = session().request(HEAD);
      stream.on('error', () => undefined);
      stream.end(framed('x'));
      while (seen.length === 0) await sleep(5);
      const startedMs = performance.now();
      expect(await server.close(100)).toBe(false);
      expect(performance.now() - startedMs).toBeLessThan(2_000);
    });
  });
});
