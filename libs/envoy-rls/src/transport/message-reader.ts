import type { Budget } from './budget.js';
import { FRAME_BYTES } from './frame.js';
import { GRPC_STATUS, type GrpcFault } from './grpc-fault.js';

const NOTHING = Buffer.alloc(0);
const FIRST_SIZE = 256;

/**
 * Cuts what DATA frames bring into messages. A message that came in one piece is not copied; pieces are gathered in a buffer that grows by doubling, so
 * that a peer who sends bytes one by one costs no more than one copy of each, and one who announces much and sends little costs little.
 */
export class MessageReader {
  private held = NOTHING;
  private length = 0;
  private taken = 0;

  /** @param budget bytes that may be held; whole messages stay in it until {@link release}, since they are kept */
  constructor(
    private readonly maxMessageBytes: number,
    private readonly budget: Budget,
  ) {}

  /** Whether a message has begun and not ended. */
  get isInside(): boolean {
    return this.length > 0;
  }

  /** @returns a fault, after which nothing more may be pushed */
  push(chunk: Buffer, onMessage: (message: Buffer) => void): GrpcFault | undefined {
    if (this.length === 0) return this.cut(chunk, onMessage);
    if (!this.hold(chunk)) return NO_ROOM;
    const all = this.held.subarray(0, this.length);
    // The message keeps the buffer, unless it is not whole yet.
    if (!isWhole(all)) return faultOf(all, this.maxMessageBytes);
    this.held = NOTHING;
    this.length = 0;
    return this.cut(all, onMessage);
  }

  private cut(bytes: Buffer, onMessage: (message: Buffer) => void): GrpcFault | undefined {
    let rest = bytes;
    while (rest.length > 0) {
      const fault = faultOf(rest, this.maxMessageBytes);
      if (fault !== undefined) return fault;
      if (!isWhole(rest)) return this.hold(rest) ? undefined : NO_ROOM;
      const end = FRAME_BYTES + rest.readUInt32BE(1);
      onMessage(rest.subarray(FRAME_BYTES, end));
      rest = rest.subarray(end);
    }
    return undefined;
  }

  /** The messages that were whole are not needed any more. */
  release(): void {
    this.budget.give(this.taken - this.held.length);
    this.taken = this.held.length;
  }

  /** Nothing is needed any more. */
  end(): void {
    this.held = NOTHING;
    this.length = 0;
    this.release();
  }

  /** @returns false where there is no room */
  private hold(chunk: Buffer): boolean {
    const needed = this.length + chunk.length;
    if (needed > this.held.length) {
      const size = Math.max(needed, Math.min(2 * needed, FIRST_SIZE + this.announced(chunk)));
      if (!this.budget.take(size - this.held.length)) return false;
      this.taken += size - this.held.length;
      const larger = Buffer.allocUnsafe(size);
      this.held.copy(larger, 0, 0, this.length);
      this.held = larger;
    }
    chunk.copy(this.held, this.length);
    this.length = needed;
    return true;
  }

  /** Bytes that the message that has begun says it has; 0 while it has not said. */
  private announced(chunk: Buffer): number {
    const begun = this.length === 0 ? chunk : this.held.subarray(0, this.length);
    return begun.length < FRAME_BYTES ? 0 : begun.readUInt32BE(1);
  }
}

/** What a call is told that would hold more than there is room for. */
export const NO_ROOM: GrpcFault = { code: GRPC_STATUS.resourceExhausted, message: 'too much is held of requests that are not whole' };

function isWhole(bytes: Buffer): boolean {
  return bytes.length >= FRAME_BYTES && bytes.length - FRAME_BYTES >= bytes.readUInt32BE(1);
}

/** What the head of a message says that is not taken, as soon as it is there. */
function faultOf(bytes: Buffer, maxMessageBytes: number): GrpcFault | undefined {
  const flag = bytes[0] ?? 0;
  if (flag !== 0) return { code: GRPC_STATUS.internal, message: flag === 1 ? 'a compressed message, and no grpc-encoding that is known' : 'a message whose first byte is neither 0 nor 1' };
  if (bytes.length < FRAME_BYTES) return undefined;
  const length = bytes.readUInt32BE(1);
  return length > maxMessageBytes ? { code: GRPC_STATUS.resourceExhausted, message: `a message of ${length} bytes; at most ${maxMessageBytes} are taken` } : undefined;
}
