import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputFault } from '../usage-fault.js';
import { combinedLines } from './combined-lines.js';
import { csvLines } from './csv-lines.js';
import { formatOf, isGzip, type Format } from './format.js';
import { jsonlLines } from './jsonl-lines.js';
import type { Line } from './record.js';

/** A log that is being read. */
export interface OpenLog {
  /** As people know it. */
  readonly name: string;
  /** Opened when the first of them is asked for. Throws an InputFault that names the log and how far it was read. */
  readonly lines: AsyncGenerator<readonly Line[]>;
  /** Undefined for stdin. */
  readonly bytes: number | undefined;
  /** Bytes read so far, as they are in the file. */
  readonly bytesRead: () => number;
}

/** How logs are read. */
export interface LogOptions {
  /** Undefined: by name. */
  readonly format: Format | undefined;
  /** Where a CSV has its times. */
  readonly timeColumn: string;
  /** Bytes that are read at once. */
  readonly chunkBytes: number;
}

type Reader = (source: Readable, timeColumn: string) => AsyncIterable<readonly Line[]>;
const READERS: Readonly<Record<Format, Reader>> = { jsonl: jsonlLines, csv: csvLines, combined: combinedLines };

/** @throws InputFault for a file that is not there */
export async function openLog(path: string, { format, timeColumn, chunkBytes }: LogOptions): Promise<OpenLog> {
  const read = READERS[format ?? (path === '-' ? 'jsonl' : formatOf(path))];
  if (path === '-') return { name: 'stdin', lines: named('stdin', () => read(process.stdin, timeColumn)), bytes: undefined, bytesRead: () => 0 };
  const bytes = await size(path);
  let file: ReadStream | undefined;
  const lines = named(path, () => {
    file = createReadStream(path, { highWaterMark: chunkBytes });
    return read(isGzip(path) ? unzipped(file) : file, timeColumn);
  });
  return { name: path, lines, bytes, bytesRead: () => file?.bytesRead ?? 0 };
}

async function* named(name: string, open: () => AsyncIterable<readonly Line[]>): AsyncGenerator<readonly Line[]> {
  let last = 0;
  try {
    for await (const lines of open()) {
      last = lines.at(-1)?.line ?? last;
      yield lines;
    }
  } catch (error) {
    if (!(error instanceof InputFault) && !isSystemError(error)) throw error;
    const line = (error instanceof InputFault ? error.line : undefined) ?? last + 1;
    throw new InputFault(`${name}:${line} cannot be read from here on: ${error.message}`);
  }
}

function unzipped(file: Readable): Readable {
  const plain = createGunzip();
  file.on('error', (error) => plain.destroy(error));
  plain.on('close', () => file.destroy());
  return file.pipe(plain);
}

async function size(path: string): Promise<number> {
  try {
    const { size: bytes } = await stat(path);
    return bytes;
  } catch (error) {
    throw new InputFault(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Of the file system, or of a gzip that is none: of the input, not of the program. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'code' in error && 'errno' in error && 'message' in error;
}
