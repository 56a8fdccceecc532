import { setTimeout as sleep } from 'node:timers/promises';
import { FLAG, FRAME, type Frame, literal, RawHttp2 } from '../../test/raw-http2.js';
import type { Methods } from './call.js';
import type { CallRecord } from './call-settings.js';
import { createGrpcServer, type GrpcServer, type GrpcServerOptions } from './create-grpc-server.js';

const ECHO = '/test.Test/Echo';
const MESSAGE = Buffer.from([0, 0, 0, 0, 1, 0x61]);

describe('R73 peers that attack', () => {
  let server: GrpcServer;
  let calls: CallRecord[];
  let raw: RawHttp2;
  let hold: boolean;

  async function start(over: Partial<GrpcServerOptions> = {}): Promise<void> {
    calls = [];
    hold = false;
    const methods: Methods = new Map([[ECHO, { kind: 'unary', handle: (message) => (hold ? new Promise(() => undefined) : Buffer.concat([Buffer.alloc(5), message])) }]]);
    server = await createGrpcServer({ methods, onCall: (call) => calls.push(call), ...over }, { host: '127.0.0.1', port: 0 });
    raw = await RawHttp2.open(server.port);
  }
  afterEach(async () => {
    raw.socket.destroy();
    await server.close(100);
  });

  const isGoaway = ({ type }: Frame): boolean => type === FRAME.goaway;
  const isAnswer = (id: number) => ({ type, streamId }: Frame): boolean => type === FRAME.data && streamId === id;
  async function ends(): Promise<void> {
    for (let i = 0; i < 400 && !raw.isClosed; i += 1) await sleep(5);
    expect(raw.isClosed).toBe(true);
    expect(server.connections).toBe(0);
  }
  /** Somebody else is still served. */
  async function othersAreServed(): Promise<void> {
    const other = await RawHttp2.open(server.port);
    other.call(1, ECHO);
    other.send(FRAME.data, FLAG.endStream, 1, MESSAGE);
    expect((await other.next(isAnswer(1))).payload).toEqual(MESSAGE);
    other.socket.destroy();
  }

  it('rapid resets end the connection, and decide nothing (CVE-2023-44487)', async () => {
    await start({ resets: { burst: 200, perSecond: 10 } });
    for (let i = 0; i < 600 && !raw.isClosed; i += 1) {
      raw.call(2 * i + 1, ECHO);
      raw.send(FRAME.reset, 0, 2 * i + 1, Buffer.from([0, 0, 0, 8]));
      if (i % 50 === 0) await sleep(1);
    }
    await ends();
    expect(calls.every(({ code }) => code === 1)).toBe(true);
    await othersAreServed();
  });

  it('a second of calls that time out at a proxy does not end the connection', async () => {
    await start();
    hold = true;
    for (let i = 0; i < 3_000; i += 1) {
      raw.call(2 * i + 1, ECHO);
      raw.send(FRAME.data, FLAG.endStream, 2 * i + 1, MESSAGE);
      raw.send(FRAME.reset, 0, 2 * i + 1, Buffer.from([0, 0, 0, 8]));
      if (i % 100 === 0) await sleep(1);
    }
    hold = false;
    await sleep(50);
    raw.call(6_001, ECHO);
    raw.send(FRAME.data, FLAG.endStream, 6_001, MESSAGE);
    expect((await raw.next(isAnswer(6_001))).payload).toEqual(MESSAGE);
  });

  it.each([
    ['PING', () => raw.send(FRAME.ping, 0, 0, Buffer.alloc(8))],
    ['SETTINGS', () => raw.send(FRAME.settings, 0, 0)],
  ])('a flood of %s ends the connection (CVE-2019-9512, CVE-2019-9515)', async (_name, flood) => {
    await start();
    for (let i = 0; i < 5_000 && !raw.isClosed; i += 1) {
      flood();
      if (i % 100 === 0) await sleep(1);
    }
    await ends();
    await othersAreServed();
  });

  it('answers a PING, in the midst of calls', async () => {
    await start();
    raw.call(1, ECHO);
    raw.send(FRAME.ping, 0, 0, Buffer.from('12345678'));
    raw.send(FRAME.data, FLAG.endStream, 1, MESSAGE);
    expect((await raw.next(({ type, flags }) => type === FRAME.ping && flags === FLAG.ack)).payload.toString()).toBe('12345678');
    expect((await raw.next(isAnswer(1))).payload).toEqual(MESSAGE);
  });

  it.each([
    ['many fields', Array.from({ length: 100 }, (_, i) => [`x-${i}`, 'v'] as const)],
    ['long fields', [['x-long', 'v'.repeat(15_000)], ['x-longer', 'v'.repeat(2_000)]] as const],
  ])('resets a call with a head of %s, and serves the next', async (_name, fields) => {
    await start();
    raw.send(FRAME.headers, FLAG.endHeaders, 1, Buffer.concat([[':method', 'POST'] as const, [':scheme', 'http'] as const, [':path', ECHO] as const, ...fields].map(([name, value]) => literal(name, value))).subarray(0, 16_384));
    expect((await raw.next(({ type }) => type === FRAME.reset || type === FRAME.goaway)).payload.at(-1)).toBeGreaterThan(0);
    await othersAreServed();
    expect(calls.filter(({ code }) => code !== 0)).toEqual([]);
  });

  it('ends a connection whose head goes on without end (CVE-2024-27316)', async () => {
    await start();
    raw.send(FRAME.headers, 0, 1, literal(':method', 'POST'));
    for (let i = 0; i < 2_000 && !raw.isClosed; i += 1) {
      raw.send(FRAME.continuation, 0, 1, literal(`x-${i}`, 'v'.repeat(100)));
      if (i % 100 === 0) await sleep(1);
    }
    await ends();
    await othersAreServed();
  });

  it('ends the connection of who opens more streams than it acknowledged', async () => {
    await start({ maxConcurrentCalls: 10 });
    await raw.next(({ type, flags }) => type === FRAME.settings && flags === FLAG.ack);
    for (let i = 0; i < 10; i += 1) raw.call(2 * i + 1, ECHO);
    for (let i = 0; i < 5; i += 1) raw.send(FRAME.data, FLAG.endStream, 2 * i + 1, MESSAGE);
    for (let i = 0; i < 5; i += 1) await raw.next(isAnswer(2 * i + 1));
    for (let i = 10; i < 16; i += 1) raw.call(2 * i + 1, ECHO);
    expect((await raw.next(isGoaway)).payload.readUInt32BE(4)).toBe(1);
    await ends();
    await othersAreServed();
  });

  it('a caller who takes no answer holds up nobody, and is cut when the server stops', async () => {
    await start();
    // A window of 0 for all streams from now on (RFC 9113, section 6.9.2).
    raw.send(FRAME.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
    for (let i = 0; i < 200; i += 1) {
      raw.call(2 * i + 1, ECHO);
      raw.send(FRAME.data, FLAG.endStream, 2 * i + 1, MESSAGE);
    }
    while (calls.length < 200) await sleep(5);
    expect(raw.received.filter(({ type }) => type === FRAME.data)).toEqual([]);
    await othersAreServed();
    expect(await server.close(50)).toBe(false);
  });

  it.each([
    ['HTTP/1.1', Buffer.from('POST / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['noise', Buffer.alloc(100, 0xff)],
  ])('closes a connection that speaks %s', async (_name, bytes) => {
    await start();
    raw.socket.write(bytes);
    await ends();
    await othersAreServed();
  });

  it('takes a message in frames of one byte at the cost of its length', async () => {
    await start();
    const message = Buffer.alloc(30_005, 'x');
    message.writeUIntBE(0, 0, 1);
    message.writeUInt32BE(30_000, 1);
    raw.call(1, ECHO);
    for (let i = 0; i < message.length; i += 1) raw.send(FRAME.data, i === message.length - 1 ? FLAG.endStream : 0, 1, message.subarray(i, i + 1));
    while (calls.length === 0) await sleep(5);
    expect(calls[0]).toMatchObject({ code: 0 });
  });

  it('empty DATA keeps a call open no longer than any other request may take (CVE-2019-9518)', async () => {
    await start({ maxRequestMs: 200 });
    raw.call(1, ECHO);
    for (let i = 0; calls.length === 0; i += 1) {
      raw.send(FRAME.data, 0, 1);
      if (i % 100 === 0) await sleep(1);
    }
    // node ends the connection when it has seen enough; else time does.
    expect([1, 4]).toContain(calls[0]?.code);
    await othersAreServed();
  });
});
