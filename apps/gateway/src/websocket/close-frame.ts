import { randomBytes } from 'node:crypto';

/** Close codes that the gateway itself sends (RFC 6455, section 7.4; 1014 by the IANA registry). */
export const CloseCode = {
  /** The gateway stops, or the client has gone. */
  goingAway: 1001,
  /** Too many messages. */
  policyViolation: 1008,
  /** The upstream broke off. */
  badGateway: 1014,
} as const;

/**
 * A close frame.
 *
 * @param masked as clients have to send it
 */
export function closeFrame(code: number, reason: string, masked: boolean): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  if (payload.length > 125) throw new RangeError('the reason of a close frame has at most 123 bytes');
  payload.writeUInt16BE(code, 0);
  payload.write(reason, 2);
  if (!masked) return Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
  const mask = randomBytes(4);
  const hidden = payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x88, 0x80 | payload.length]), mask, hidden]);
}
