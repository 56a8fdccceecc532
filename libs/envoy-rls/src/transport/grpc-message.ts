const PLAIN = /^[\x20-\x24\x26-\x7e]*$/;

/** `grpc-message`: UTF-8, percent-encoded but for what is printable in ASCII (gRPC over HTTP/2, "Percent-Encoded"). */
export function encodeGrpcMessage(text: string): string {
  if (PLAIN.test(text)) return text;
  let encoded = '';
  for (const byte of Buffer.from(text)) encoded += byte >= 0x20 && byte <= 0x7e && byte !== 0x25 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return encoded;
}
