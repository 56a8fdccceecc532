import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { CompressionTypes } from 'kafkajs';
import { batchCompression, zstdCodec } from './zstd-codec.js';

describe('zstd on Kafka', () => {
  it('takes back what it made', async () => {
    const { compress, decompress } = zstdCodec();
    const text = Buffer.from('{"kind":"decision"}'.repeat(100));
    const compressed = await compress({ buffer: text });
    expect(compressed.length).toBeLessThan(text.length / 10);
    expect(await promisify(zlib.zstdDecompress)(compressed)).toEqual(text);
    expect(await decompress(compressed)).toEqual(text);
    expect(batchCompression()).toBe(CompressionTypes.ZSTD);
  });

  it('on a Node that has none sends gzip, and says what to do about what others sent', async () => {
    expect(batchCompression({})).toBe(CompressionTypes.GZIP);
    await expect(zstdCodec({}).decompress(Buffer.alloc(1))).rejects.toThrow(/zstd, which Node .* does not have: run this on Node 22\.15 or newer$/);
  });
});
