import type { Readable } from 'node:stream';
import { InputFault } from '../usage-fault.js';

/** A longer one is none: what has no line ends must not fill the heap. */
const MOST_CHARS = 1_048_576;

/** The lines of a text, as many at once as a read brings: a promise for each would cost more than the line. */
export async function* textLines(source: Readable): AsyncGenerator<readonly string[]> {
  let rest = '';
  source.setEncoding('utf8');
  for await (const chunk of source as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MOST_CHARS) throw new InputFault(`there is a line of more than ${MOST_CHARS} characters`);
    yield lines;
  }
  if (rest !== '') yield [rest];
}
