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

  constructor(private readonly maxMessageBytes: number) {}

  /** Whether a message has begun and not ended. */
  get isInside(): boolean {
    return this.length > 0;
  }

  /** @returns a fault, after which nothing more may be pushed */
  push(chunk: Buffer, onMessage: (message: Buffer) => void): GrpcFault | undefined {
    if (this.length === 0) return this.cut(chunk, onMessage);
    this.hold(chunk);
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
      if (!isWhole(rest)) {
        this.hold(rest);
        return undefined;
      }
      const end = FRAME_BYTES + rest.readUInt32BE(1);
      onMessage(rest.subarray(FRAME_BYTES, end));
      rest = rest.subarray(end);
    }
    return undefined;
  }

  private hold(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (needed > this.held.length) {
      const larger = Buffer.allocUnsafe(Math.max(FIRST_SIZE, 2 * needed));
      this.held.copy(larger, 0, 0, this.length);
      this.held = larger;
    }
    chunk.copy(this.held, this.length);
    this.length = needed;
  }
}

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
