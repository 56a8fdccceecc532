/** Bytes in front of every message: one that says whether it is compressed, four of its length (gRPC over HTTP/2, "Length-Prefixed-Message"). */
export const FRAME_BYTES = 5;

/** Fills in the first {@link FRAME_BYTES} of a buffer whose rest is the message. @returns the same buffer */
export function sealFrame(message: Buffer): Buffer {
  message[0] = 0;
  message.writeUInt32BE(message.length - FRAME_BYTES, 1);
  return message;
}
