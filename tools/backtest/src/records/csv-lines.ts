import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { InputFault } from '../usage-fault.js';
import type { Line } from './record.js';

const BATCH = 1_000;

interface Parsed {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

/** Rows of a CSV file (RFC 4180) with a header; empty cells are absent. */
export async function* csvLines(source: Readable): AsyncGenerator<readonly Line[]> {
  const parser = source.pipe(parse({ columns: true, bom: true, info: true, skip_empty_lines: true, trim: true, max_record_size: 1_048_576 }));
  source.on('error', (error) => parser.destroy(error));
  let batch: Line[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      batch.push({ line: info.lines, fields: Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== '')) });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (error instanceof CsvError) throw new InputFault(`the CSV cannot be read: ${error.message}`);
    throw error;
  }
  yield batch;
}
