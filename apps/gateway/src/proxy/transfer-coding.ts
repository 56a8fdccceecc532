/**
 * Whether a message is framed by more than chunks: what else `Transfer-Encoding` names would have to be taken off the body, since the field belongs to
 * one connection (RFC 9112, section 6.1).
 */
export function isTransferCoded(transferEncoding: string | string[] | undefined): boolean {
  return transferEncoding !== undefined && String(transferEncoding).trim().toLowerCase() !== 'chunked';
}

/** An upstream's answer in a coding that the gateway does not know. */
export class UnknownCoding extends Error {
  override readonly name = 'UnknownCoding';

  constructor() {
    super('the upstream answered in a transfer coding other than chunked');
  }
}
