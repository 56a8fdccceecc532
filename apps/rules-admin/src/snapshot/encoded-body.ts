import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type ContentCoding, codingFor } from './content-coding.js';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Smaller ones gain nothing. */
const LEAST_BYTES = 1_024;

/** Where brotli is about as fast as gzip and a third smaller; the levels above take seconds for a large snapshot. */
const BROTLI_QUALITY = 5;

/** What is sent. */
export interface SentBody {
  readonly coding: ContentCoding;
  readonly bytes: Buffer;
}

/** One body in every coding that somebody asked for, each made once and off this thread. */
export class EncodedBody {
  private readonly made = new Map<ContentCoding, Promise<Buffer>>();

  constructor(readonly plain: Buffer) {}

  /** The body for a caller with this `Accept-Encoding`. */
  async for(acceptEncoding: string | undefined): Promise<SentBody> {
    const coding = this.plain.length < LEAST_BYTES ? 'identity' : codingFor(acceptEncoding);
    return { coding, bytes: await this.in(coding) };
  }

  private in(coding: ContentCoding): Promise<Buffer> {
    const known = this.made.get(coding);
    if (known !== undefined) return known;
    const making = this.encode(coding);
    this.made.set(coding, making);
    making.catch(() => this.made.delete(coding));
    return making;
  }

  private async encode(coding: ContentCoding): Promise<Buffer> {
    if (coding === 'identity') return this.plain;
    if (coding === 'gzip') return compressGzip(this.plain);
    return compressBrotli(this.plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: this.plain.length } });
  }
}
