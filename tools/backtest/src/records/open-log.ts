import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputFault } from '../usage-fault.js';
import { combinedLines } from './combined-lines.js';
import { csvLines } from './csv-lines.js';
import { formatOf, type Format } from './format.js';
import { jsonlLines } from './jsonl-lines.js';
import type { Line } from './record.js';

/** A log that is being read. */
export interface OpenLog {
  readonly lines: AsyncIterable<readonly Line[]>;
  /** Undefined for stdin. */
  readonly bytes: number | undefined;
  /** Bytes read so far, as they are in the file. */
  readonly bytesRead: () => number;
}

const READERS: Readonly<Record<Format, (source: Readable) => AsyncIterable<readonly Line[]>>> = { jsonl: jsonlLines, csv: csvLines, combined: combinedLines };

/** @throws InputFault for a file that cannot be read */
export async function openLog(name: string, format: Format | undefined): Promise<OpenLog> {
  const read = READERS[format ?? (name === '-' ? 'jsonl' : formatOf(name))];
  if (name === '-') return { lines: read(process.stdin), bytes: undefined, bytesRead: () => 0 };
  const bytes = await size(name);
  const file = createReadStream(name, { highWaterMark: 262_144 });
  return { lines: read(name.endsWith('.gz') ? unzipped(file) : file), bytes, bytesRead: () => file.bytesRead };
}

function unzipped(file: Readable): Readable {
  const plain = createGunzip();
  file.on('error', (error) => plain.destroy(error));
  return file.pipe(plain);
}

async function size(name: string): Promise<number> {
  try {
    const { size: bytes } = await stat(name);
    return bytes;
  } catch (error) {
    throw new InputFault(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
