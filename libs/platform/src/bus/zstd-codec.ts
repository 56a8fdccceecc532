import { promisify } from 'node:util';
// As a whole: Node before 22.15 has no zstd, and an import of what is lacking by name would stop the process.
import zlib from 'node:zlib';
import kafkajs from 'kafkajs';
import { boundedDecompression } from './bounded-decompression.js';

// Node finds not all names of this CommonJS module: an import of this one by name fails, though under Jest it does not.
const { CompressionCodecs, CompressionTypes } = kafkajs;

/** What of `node:zlib` is used; where Node has no zstd, none of it is there. */
export type ZstdFunctions = Partial<Pick<typeof zlib, 'zstdCompress' | 'zstdDecompress'>>;

/** How kafkajs compresses by one method. */
export interface BatchCodec {
  readonly compress: (encoder: { readonly buffer: Buffer }) => Promise<Buffer>;
  readonly decompress: (buffer: Buffer) => Promise<Buffer>;
}

/** What batches are sent with. Of events zstd makes a tenth, in less time than gzip, which every Kafka and every Node has. */
export function batchCompression({ zstdCompress }: ZstdFunctions = zlib): number {
  return zstdCompress === undefined ? CompressionTypes.GZIP : CompressionTypes.ZSTD;
}

/** Zstd by Node. Without it both reject, and say which Node has it. */
export function zstdCodec({ zstdCompress, zstdDecompress }: ZstdFunctions = zlib): BatchCodec {
  if (zstdCompress === undefined || zstdDecompress === undefined) return { compress: lacking, decompress: lacking };
  const compress = promisify(zstdCompress);
  const decompress = promisify(zstdDecompress);
  const fastest = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
  return { compress: ({ buffer }) => compress(buffer, fastest), decompress: boundedDecompression(decompress) };
}

/** Gzip as kafkajs has it, within the bound of a batch. */
export function gzipCodec(): BatchCodec {
  const compress = promisify(zlib.gzip);
  return { compress: ({ buffer }) => compress(buffer), decompress: boundedDecompression(promisify(zlib.unzip)) };
}

/** Teaches kafkajs zstd, which it knows by name alone, and bounds; all clients of a process share its table of codecs, so that once is enough. Brokers take it since Kafka 2.1. */
export function useZstd(): void {
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstdCodec();
  CompressionCodecs[CompressionTypes.GZIP] = () => gzipCodec();
}

function lacking(): Promise<never> {
  return Promise.reject(new Error(`these messages are compressed by zstd, which Node ${process.versions.node} does not have: run this on Node 22.15 or newer`));
}
