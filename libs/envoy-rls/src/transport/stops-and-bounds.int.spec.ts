import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FLAG, FRAME, type Frame, RawHttp2 } from '../../test/raw-http2.js';
import { healthMethods } from '../health/health-methods.js';
import type { Method } from './call.js';
import type { CallRecord } from './call-settings.js';
import { createGrpcServer, type GrpcServer, type GrpcServerOptions } from './create-grpc-server.js';

const ECHO = '/test.Test/Echo';
const WATCH = '/grpc.health.v1.Health/Watch';
const CHECK = '/grpc.health.v1.Health/Check';
const EMPTY = Buffer.alloc(5);
/** A message that does not end with this frame. */
const HALF = Buffer.alloc(16_000);
HALF.writeUInt32BE(100_000, 1);
const NO_WINDOW = Buffer.from([0, 4, 0, 0, 0, 0]);
const RESOURCE_EXHAUSTED = 8;

describe('R73 what callers may hold', () => {
  let server: GrpcServer;
  let calls: CallRecord[];
  const raws: RawHttp2[] = [];
  let known: boolean;

  async function start(over: Partial<GrpcServerOptions> = {}): Promise<void> {
    const seen: CallRecord[] = [];
    calls = seen;
    known = false;
    const echo: Method = { kind: 'unary', handle: (message) => Buffer.concat([Buffer.alloc(5), message]) };
    server = await createGrpcServer({ methods: new Map([[ECHO, echo], ...healthMethods({ services: [], isReady: () => true, lookMs: 20 })]), mayCall: () => known, onCall: (call) => seen.push(call), ...over }, { host: '127.0.0.1', port: 0 });
  }
  async function open(): Promise<RawHttp2> {
    const raw = await RawHttp2.open(server.port);
    raws.push(raw);
    return raw;
  }
  afterEach(async () => {
    for (const raw of raws.splice(0)) raw.socket.destroy();
    await server.close(100);
  });

  const isData = (id: number) => ({ type, streamId }: Frame): boolean => type === FRAME.data && streamId === id;
  const isReset = (id: number) => ({ type, streamId }: Frame): boolean => type === FRAME.reset && streamId === id;
  async function until(holds: () => boolean, withinMs = 3_000): Promise<void> {
    for (const endMs = performance.now() + withinMs; !holds() && performance.now() < endMs; ) await sleep(5);
    expect(holds()).toBe(true);
  }
  const codes = (): number[] => calls.map(({ code }) => code);
  async function echo(raw: RawHttp2, id: number): Promise<void> {
    raw.call(id, ECHO);
    raw.send(FRAME.data, FLAG.endStream, id, EMPTY);
    await raw.next(isData(id));
  }
  /** A stop that nobody holds up. */
  async function stopsWithin(ms: number): Promise<void> {
    const startedMs = performance.now();
    expect(await server.close(8_000)).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(ms);
  }

  describe('R44 a stranger does not hold up a stop', () => {
    it('by a watch whose request goes on', async () => {
      await start();
      const raw = await open();
      raw.call(1, WATCH);
      raw.send(FRAME.data, 0, 1, EMPTY);
      await raw.next(isData(1));
      await stopsWithin(500);
      expect((await raw.next(isReset(1))).payload).toEqual(Buffer.alloc(4));
    });

    it('by a watch of which nothing has come', async () => {
      await start();
      (await open()).call(1, WATCH);
      await sleep(50);
      await stopsWithin(500);
    });

    it('by a watch that is not read', async () => {
      await start();
      const raw = await open();
      raw.send(FRAME.settings, 0, 0, NO_WINDOW);
      raw.call(1, WATCH);
      raw.send(FRAME.data, 0, 1, EMPTY);
      await sleep(50);
      await stopsWithin(3_000);
    });

    it('by a check that is half sent, or not read', async () => {
      await start();
      const raw = await open();
      raw.send(FRAME.settings, 0, 0, NO_WINDOW);
      raw.call(1, CHECK);
      raw.call(3, CHECK);
      raw.send(FRAME.data, FLAG.endStream, 3, EMPTY);
      await until(() => calls.length === 1);
      await stopsWithin(3_000);
      expect(codes()).toEqual([0, 14]);
    });

    it('by a connection that says nothing', async () => {
      await start();
      const socket = connect({ port: server.port, host: '127.0.0.1' }).on('error', () => undefined);
      await until(() => server.connections === 1);
      await stopsWithin(3_000);
      socket.destroy();
    });

    it('by TLS that is not agreed on', async () => {
      await start({ tls: {} });
      const socket = connect({ port: server.port, host: '127.0.0.1' }).on('error', () => undefined);
      await new Promise((connected) => socket.once('connect', connected));
      await sleep(50);
      await stopsWithin(500);
      socket.destroy();
    });
  });

  describe('requests that are not whole', () => {
    const HELD_BY_TWO = 70_000;

    it.each([
      ['one connection', { connectionBytes: HELD_BY_TWO }, 1],
      ['all connections', { processBytes: HELD_BY_TWO }, 3],
    ])('hold so many bytes over %s, and a call beyond is refused', async (_over, bounds, connections) => {
      await start({ bounds });
      known = true;
      const opened = await Promise.all(Array.from({ length: connections }, open));
      const halves = async (id: number, count: number): Promise<void> => {
        for (let at = 0; at < count; at += 1) {
          const raw = opened[at % connections];
          raw?.call(id + 2 * at, ECHO);
          raw?.send(FRAME.data, 0, id + 2 * at, HALF);
          await sleep(20);
        }
      };
      await halves(1, 3);
      expect(codes()).toEqual([RESOURCE_EXHAUSTED]);
      // Those under way go on, and what they held is free when they have gone.
      for (const raw of opened) for (const id of [1, 3]) raw.send(FRAME.reset, 0, id, Buffer.from([0, 0, 0, 8]));
      await sleep(50);
      calls.length = 0;
      await halves(101, 2);
      expect(codes()).toEqual([]);
    });

    it('count though their message is whole', async () => {
      await start({ bounds: { connectionBytes: 12 } });
      known = true;
      const raw = await open();
      for (const id of [1, 3, 5]) {
        raw.call(id, ECHO);
        raw.send(FRAME.data, 0, id, EMPTY);
      }
      await until(() => calls.length === 1);
      expect(codes()).toEqual([RESOURCE_EXHAUSTED]);
      raw.send(FRAME.data, FLAG.endStream, 1);
      await raw.next(isData(1));
      for (const id of [7, 9, 11, 13]) await echo(raw, id);
    });
  });

  it('an answer that is not read is reset when its time is over, whatever else comes', async () => {
    await start({ maxRequestMs: 300 });
    known = true;
    const raw = await open();
    raw.send(FRAME.settings, 0, 0, NO_WINDOW);
    raw.call(1, ECHO);
    raw.send(FRAME.data, FLAG.endStream, 1, EMPTY);
    const pings = setInterval(() => raw.send(FRAME.ping, 0, 0, Buffer.alloc(8)), 50);
    expect((await raw.next(isReset(1))).payload.at(-1)).toBe(8);
    clearInterval(pings);
    // Others are read in time.
    raw.send(FRAME.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0xff, 0xff]));
    await echo(raw, 3);
    await sleep(1_500);
    expect(raw.received.filter(({ type }) => type === FRAME.reset)).toEqual([]);
    expect(raw.isClosed).toBe(false);
  });

  describe('strangers', () => {
    it('have so many streams in all, and who may call has his own', async () => {
      await start({ bounds: { strangerStreams: 3 } });
      const [one, two] = [await open(), await open()];
      for (const [raw, ids] of [[one, [1, 3]], [two, [1, 3]]] as const) for (const id of ids) {
        raw.call(id, WATCH);
        raw.send(FRAME.data, FLAG.endStream, id, EMPTY);
        await sleep(20);
      }
      expect(codes()).toEqual([RESOURCE_EXHAUSTED]);
      known = true;
      await echo(two, 5);
      two.call(7, WATCH);
      two.send(FRAME.data, FLAG.endStream, 7, EMPTY);
      await two.next(isData(7));
      one.send(FRAME.reset, 0, 1, Buffer.from([0, 0, 0, 8]));
      await sleep(50);
      one.call(9, WATCH);
      one.send(FRAME.data, FLAG.endStream, 9, EMPTY);
      await one.next(isData(9));
    });

    it('have so many connections: the oldest ends, and never that of who may call', async () => {
      await start({ bounds: { strangerConnections: 3 } });
      const asker = await open();
      known = true;
      await echo(asker, 1);
      known = false;
      const strangers: RawHttp2[] = [];
      for (let at = 0; at < 5; at += 1) strangers.push(await open());
      await until(() => strangers.filter(({ isClosed }) => isClosed).length === 2);
      expect(strangers.map(({ isClosed }) => isClosed)).toEqual([true, true, false, false, false]);
      known = true;
      await echo(asker, 3);
    });

    it('are told to end when they have not called for long, though they watch and ping; who may call stays', async () => {
      await start({ idleMs: 400 });
      const [stranger, asker] = [await open(), await open()];
      known = true;
      await echo(asker, 1);
      known = false;
      for (const raw of [stranger, asker]) {
        raw.call(3, WATCH);
        raw.send(FRAME.data, FLAG.endStream, 3, EMPTY);
        await raw.next(isData(3));
      }
      const pings = setInterval(() => stranger.send(FRAME.ping, 0, 0, Buffer.alloc(8)), 50);
      await until(() => stranger.isClosed);
      clearInterval(pings);
      expect(asker.isClosed).toBe(false);
    });
  });
});
