import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';

// Node finds not all names of this CommonJS module: an import of this one by name fails, though under Jest it does not.
const { CompressionCodecs, CompressionTypes } = kafkajs;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Teaches kafkajs zstd, which it knows by name alone; all clients of a process share its table of codecs, so that once is enough. Brokers take it since Kafka
 * 2.1. Of events it makes a tenth, in less time than gzip.
 */
export function useZstd(): void {
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: ({ buffer }: { readonly buffer: Buffer }) => compress(buffer, FASTEST),
    decompress: (buffer: Buffer) => decompress(buffer),
  });
}
