import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { InputFault } from '../usage-fault.js';
import type { Line } from './record.js';

const BATCH = 1_000;

interface Parsed {
  readonly record: Readonly<Record<string, string>>;
  /** The error is of a row with more or fewer cells than the header. */
  readonly info: { readonly lines: number; readonly error: CsvError | undefined };
}

/**
 * Rows of a CSV file (RFC 4180) with a header; blanks around cells are none of them, empty cells are absent. A quote that does not close its cell is a character like others (`"a"b`): one such row is no reason to
 * lose those after it. One that is never closed is a fault of the file.
 *
 * @param timeColumn has to be in the header: a file that is none at all would be one without rows
 * @throws InputFault
 */
export async function* csvLines(source: Readable, timeColumn: string): AsyncGenerator<readonly Line[]> {
  // Neither `rtrim` nor `skip_records_with_error`: together they lose the rest of what was read at once without a word.
  const parser = source.pipe(
    parse({ columns: (names: readonly string[]) => headed(names, timeColumn), bom: true, info: true, skip_empty_lines: true, ltrim: true, max_record_size: 1_048_576, relax_column_count: true, relax_quotes: true }),
  );
  source.on('error', (error) => parser.destroy(error));
  let batch: Line[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      batch.push(info.error === undefined ? { line: info.lines, fields: fieldsOf(record) } : { line: info.lines, fault: 'has more or fewer cells than the header' });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    yield batch;
    if (error instanceof CsvError) throw new InputFault(`the CSV cannot be read: ${error.message}`, lineOf(error));
    throw error;
  }
  yield batch;
}

function headed(given: readonly string[], timeColumn: string): string[] {
  const names = given.map(trimmed);
  if (!names.includes(timeColumn)) throw new InputFault(`the header has no column ${timeColumn}`);
  return names;
}

function fieldsOf(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [name, cell] of Object.entries(record)) if (cell !== '') fields[name] = trimmed(cell);
  return fields;
}

/** Blanks after a closing quote are none of the cell, but came with the quotes. */
function trimmed(cell: string): string {
  const text = cell.trimEnd();
  return text.length < cell.length && text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function lineOf(error: CsvError): number | undefined {
  const { lines } = error as { readonly lines?: unknown };
  return typeof lines === 'number' ? lines : undefined;
}
