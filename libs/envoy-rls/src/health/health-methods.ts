import { WIRE, WireError, WireReader } from '../codec/wire-reader.js';
import { WireWriter } from '../codec/wire-writer.js';
import type { Method, StreamingCall, StreamingHandler } from '../transport/call.js';
import { FRAME_BYTES } from '../transport/frame.js';
import { GRPC_STATUS, type GrpcFault } from '../transport/grpc-fault.js';

/** `grpc.health.v1.HealthCheckResponse.ServingStatus`. */
export const SERVING_STATUS = { serving: 1, notServing: 2, serviceUnknown: 3 } as const;
type ServingStatus = (typeof SERVING_STATUS)[keyof typeof SERVING_STATUS];

const SERVICE = 8 + WIRE.bytes;
const STATUS = 8 + WIRE.varint;
/** How often a watcher is looked after. */
const LOOK_MS = 1_000;

/** What is asked about health. */
export interface HealthOptions {
  /** Services that are served, by full name; the empty name stands for the server as a whole and is always there. */
  readonly services: readonly string[];
  /** Whether calls would be answered. Asked for each check, and once a second for all who watch; a rejection is a no. */
  readonly isReady: () => boolean | Promise<boolean>;
  /** Default 1 s. */
  readonly lookMs?: number;
}

/** `grpc.health.v1.Health` (https://grpc.github.io/grpc/core/md_doc_health-checking.html), open to anybody, as /readyz is: probes have no token. */
export function healthMethods({ services, isReady, lookMs = LOOK_MS }: HealthOptions): readonly (readonly [string, Method])[] {
  const known = new Set(['', ...services]);
  const statusNow = async (): Promise<ServingStatus> => {
    try {
      return (await isReady()) ? SERVING_STATUS.serving : SERVING_STATUS.notServing;
    } catch {
      // Whoever is not able to say whether it is ready is not.
      return SERVING_STATUS.notServing;
    }
  };
  const watchers = new Set<(status: ServingStatus) => void>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    void statusNow().then((status) => {
      for (const tell of watchers) tell(status);
    });
  };
  const watch = (tell: (status: ServingStatus) => void): (() => void) => {
    watchers.add(tell);
    timer ??= setInterval(look, lookMs).unref();
    void statusNow().then(tell);
    return () => {
      watchers.delete(tell);
      if (watchers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
  return [
    [
      '/grpc.health.v1.Health/Check',
      {
        kind: 'unary',
        isOpen: true,
        handle: (message) => {
          const service = serviceOf(message);
          if (typeof service !== 'string') return service;
          return known.has(service) ? statusNow().then(encodeStatus) : { code: GRPC_STATUS.notFound, message: 'no such service here' };
        },
      },
    ],
    ['/grpc.health.v1.Health/Watch', { kind: 'streaming', isOpen: true, open: (call) => new Watcher(call, (service, tell) => (known.has(service) ? watch(tell) : unknown(tell))) }],
  ];
}

/** The service may come yet, says the protocol: the call stays. */
function unknown(tell: (status: ServingStatus) => void): () => void {
  tell(SERVING_STATUS.serviceUnknown);
  return () => undefined;
}

/** One `Watch`: the status at once, and each other one from then on. */
class Watcher implements StreamingHandler {
  private stop: (() => void) | undefined;
  private last: ServingStatus | undefined;

  constructor(
    private readonly call: StreamingCall,
    private readonly watch: (service: string, tell: (status: ServingStatus) => void) => () => void,
  ) {}

  message(message: Buffer): void {
    const service = serviceOf(message);
    if (typeof service !== 'string') this.call.end(service);
    else if (this.stop !== undefined) this.call.end({ code: GRPC_STATUS.unimplemented, message: 'more than one message in a call of one' });
    else this.stop = this.watch(service, (status) => this.tell(status));
  }

  halfClosed(): void {
    if (this.stop === undefined) this.call.end({ code: GRPC_STATUS.internal, message: 'no message' });
  }

  closed(): void {
    this.stop?.();
  }

  private tell(status: ServingStatus): void {
    if (status === this.last) return;
    this.last = status;
    this.call.send(encodeStatus(status));
  }
}

/** `HealthCheckRequest.service`. */
function serviceOf(message: Buffer): string | GrpcFault {
  try {
    const reader = new WireReader();
    reader.open(message);
    let service = '';
    while (reader.hasMore()) {
      const tag = reader.tag();
      if (tag === SERVICE) service = reader.string();
      else reader.skip(tag);
    }
    return service;
  } catch (error) {
    if (error instanceof WireError) return { code: GRPC_STATUS.internal, message: `not a HealthCheckRequest: ${error.message}` };
    throw error;
  }
}

function encodeStatus(status: ServingStatus): Buffer {
  const writer = new WireWriter();
  writer.varint(STATUS, status);
  return writer.take(FRAME_BYTES);
}
