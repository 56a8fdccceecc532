import type { Readable } from 'node:stream';
import { InputFault } from '../usage-fault.js';

/** A longer one is none: what has no line ends must not fill the heap. */
const MOST_CHARS = 1_048_576;
const BOM = '\uFEFF';

/**
 * The lines of a text, as many at once as a read brings: a promise for each would cost more than the line.
 *
 * @throws InputFault
 */
export async function* textLines(source: Readable): AsyncGenerator<readonly string[]> {
  let rest: string | undefined;
  source.setEncoding('utf8');
  for await (const chunk of source as AsyncIterable<string>) {
    const lines = (rest === undefined ? withoutBom(chunk) : rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
    if (rest.length > MOST_CHARS) throw new InputFault(`a line has more than ${MOST_CHARS} characters`);
  }
  if (rest !== undefined && rest !== '') yield [rest];
}

function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(BOM.length) : text;
}
