import { leftOutRecords } from './left-out-records.js';

/** Bytes of a batch, decompressed. A broker takes 1 MiB of it compressed by default, of which events make some 50 MiB at most; anything may be made of it by who means ill. */
export const MAX_BATCH_BYTES = 64 * 1024 * 1024;

/** Decompresses within a bound. @throws what Node says when there is more */
export type Decompress = (buffer: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/**
 * Decompression that a batch cannot exhaust the memory by: of one that is larger each message is replaced by a text that says so, which is no event, and a dead letter.
 */
export function boundedDecompression(decompress: Decompress): (buffer: Buffer) => Promise<Buffer> {
  return async (buffer) => {
    try {
      return await decompress(buffer, { maxOutputLength: MAX_BATCH_BYTES });
    } catch (error) {
      if (isTooLarge(error)) return leftOutRecords();
      throw error;
    }
  };
}

function isTooLarge(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
