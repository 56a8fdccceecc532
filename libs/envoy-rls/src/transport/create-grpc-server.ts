import { createSecureServer, createServer, type SecureServerOptions, type ServerHttp2Session, type ServerOptions } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { type Bounds, DEFAULT_BOUNDS } from './bounds.js';
import { Budget } from './budget.js';
import type { Methods } from './call.js';
import type { CallRecord, CallSettings } from './call-settings.js';
import { GrpcSession } from './grpc-session.js';
import { Handshakes } from './handshakes.js';
import { requireNode } from './require-node.js';

/** What a server is made of. */
export interface GrpcServerOptions extends Partial<CallSettings> {
  readonly methods: Methods;
  /** Certificates and the like, for TLS with ALPN `h2`; absent: HTTP/2 from the first byte, without TLS (h2c by prior knowledge). */
  readonly tls?: SecureServerOptions | undefined;
  /** A request that is not whole by then is given up, and an answer that is not read by then. Default 10 s. */
  readonly maxRequestMs?: number;
  /** A connection on which nothing has happened for so long is told to end; that of strangers, when they have not called for so long. Default 10 minutes. */
  readonly idleMs?: number;
  /** Streams that callers may reset on one connection in a burst, and each second from then on; beyond it the connection ends. */
  readonly resets?: { readonly burst: number; readonly perSecond: number };
  /** Calls on one connection at a time. Default 1,024. */
  readonly maxConcurrentCalls?: number;
  readonly bounds?: Partial<Bounds>;
}

/** A server that listens. */
export interface GrpcServer {
  readonly port: number;
  /** Connections that are open. */
  readonly connections: number;
  /** Other certificates, for connections from then on. Without TLS nothing happens. */
  setSecureContext(options: SecureContextOptions): void;
  /** Takes no new calls, answers those under way, and cuts what is left after `deadlineMs` (R44). @returns whether everything ended by itself */
  close(deadlineMs?: number): Promise<boolean>;
}

/**
 * `maxMessageBytes` is what gRPC has by default, though requests are small: they hold what clients send, long header fields several times over, and Envoy lets a
 * request pass whose call failed. A tighter bound would be a way around every limit.
 */
const DEFAULTS = { maxMessageBytes: 4_194_304, maxRequestMs: 10_000, idleMs: 600_000, maxConcurrentCalls: 1_024, deadlineMs: 8_000 } as const;
/**
 * Far above node's 1,000 and 33: a proxy resets each call that takes longer than its timeout (Envoy: 20 ms), so that a second of a slow store would cost it the
 * connection. A call that is reset costs what a call costs: it is bounded, and not cheap to send (CVE-2023-44487).
 */
const RESETS = { burst: 20_000, perSecond: 2_000 } as const;
/** What a head may hold: a few fields of gRPC, and what tracing adds. */
const MOST_HEAD_BYTES = 16_384;
const MOST_HEAD_FIELDS = 64;
const SWEEP_MS = 1_000;
const KEEP_ALIVE_MS = 30_000;

/**
 * Serves gRPC over node:http2: calls of one message, and of many where health and reflection need them. Compression is not spoken.
 *
 * @throws when it cannot listen, and on a Node before 24
 */
export async function createGrpcServer(options: GrpcServerOptions, at: { readonly host: string; readonly port: number }): Promise<GrpcServer> {
  requireNode(process.versions.node);
  const { methods, tls, maxRequestMs = DEFAULTS.maxRequestMs, idleMs = DEFAULTS.idleMs, resets = RESETS } = options;
  const settings: CallSettings = {
    maxMessageBytes: options.maxMessageBytes ?? DEFAULTS.maxMessageBytes,
    mayCall: options.mayCall ?? (() => true),
    onCall: options.onCall ?? ((_call: CallRecord) => undefined),
    onError: options.onError ?? ((_error: unknown) => undefined),
  };
  const http2: ServerOptions = {
    settings: { maxConcurrentStreams: options.maxConcurrentCalls ?? DEFAULTS.maxConcurrentCalls, maxHeaderListSize: MOST_HEAD_BYTES, enablePush: false },
    maxHeaderListPairs: MOST_HEAD_FIELDS,
    streamResetBurst: resets.burst,
    streamResetRate: resets.perSecond,
  };
  const server = tls === undefined ? createServer(http2) : createSecureServer({ handshakeTimeout: maxRequestMs, ...http2, ...tls });
  const sessions = new Map<ServerHttp2Session, GrpcSession>();
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const bytes = new Budget(bounds.processBytes);
  const strangerStreams = new Budget(bounds.strangerStreams);
  /** The longest there first. */
  const strangers = new Set<GrpcSession>();
  const handshakes = new Handshakes();
  // node makes the session within this event, so that the socket of a session is the one that came last: what the session shows is a proxy of it.
  let arrived: Socket | undefined;
  server.prependListener(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    arrived = socket;
    handshakes.ended(socket);
  });
  if (tls !== undefined) server.prependListener('connection', (socket: Socket) => handshakes.began(socket));
  server.on('session', (session) => {
    if (arrived === undefined) return session.destroy();
    const served = new GrpcSession({ session, socket: arrived, methods, settings, bytes: new Budget(bounds.connectionBytes, bytes), strangerStreams, onKnown: (known) => strangers.delete(known) });
    sessions.set(session, served);
    strangers.add(served);
    // The oldest: whoever may call says so within moments.
    const [oldest] = strangers.size > bounds.strangerConnections ? strangers : [];
    if (oldest !== undefined) {
      strangers.delete(oldest);
      oldest.cut();
    }
    session.setTimeout(idleMs, () => served.endIdle());
    session.once('close', () => {
      sessions.delete(session);
      strangers.delete(served);
    });
  });
  const sweep = setInterval(() => {
    for (const session of sessions.values()) session.endSlow(maxRequestMs, idleMs);
  }, SWEEP_MS).unref();
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(at, () => {
      server.off('error', failed);
      listening();
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get connections() {
      return sessions.size;
    },
    setSecureContext(secure) {
      if ('setSecureContext' in server) server.setSecureContext(secure);
    },
    async close(deadlineMs = DEFAULTS.deadlineMs) {
      for (const session of sessions.values()) session.drain();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      handshakes.cut();
      let isCut = false;
      const timer = setTimeout(() => {
        isCut = true;
        for (const session of sessions.values()) session.cut();
      }, deadlineMs);
      await closed;
      clearTimeout(timer);
      clearInterval(sweep);
      return !isCut;
    },
  };
}
