import type { Readable } from 'node:stream';
import type { Line } from './record.js';
import { textLines } from './text-lines.js';

/** JSON objects, one a line; empty lines are none. */
export async function* jsonlLines(source: Readable): AsyncGenerator<readonly Line[]> {
  let number = 0;
  for await (const lines of textLines(source)) {
    yield lines.flatMap((text) => {
      number += 1;
      return text.trim() === '' ? [] : [read(text, number)];
    });
  }
}

function read(text: string, line: number): Line {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { line, fault: 'is no JSON' };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { line, fault: 'is no JSON object' };
  return { line, fields: { ...json } };
}
