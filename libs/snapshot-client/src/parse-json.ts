import type { Steps } from '@sluice/rules';
import { JsonScan } from './json-scan.js';

/** Text that `JSON.parse` gets at once: it takes a few hundred µs at the most. */
const BATCH_CHARS = 16_384;
/** How deep values are taken apart: the lists of a snapshot are at the second level, and in the copy on disk at the third. */
const SPLIT_LEVELS = 3;
/** Of one of the outer objects, which is made at once; that of a snapshot has four. */
const MAX_MEMBERS = 10_000;

/**
 * What `JSON.parse(text)` makes of it, in small steps: the members of the outer objects and the elements of the lists in them are told apart
 * by their commas, and go to `JSON.parse` in batches. One element is one piece.
 *
 * @throws SyntaxError exactly where `JSON.parse` does; RangeError for what is out of all proportion for a snapshot (see {@link JsonScan}; more than 10,000
 *   members of an outer object), so that no text takes memory or time beyond its size
 */
export function* parseJson(text: string): Steps<unknown> {
  const parser = new JsonPieces(text);
  const value = yield* parser.value(SPLIT_LEVELS);
  parser.end();
  return value;
}

class JsonPieces {
  private at = 0;
  private readonly scan: JsonScan;

  constructor(private readonly text: string) {
    this.scan = new JsonScan(text);
  }

  *value(levels: number): Steps<unknown> {
    const first = this.next();
    if (levels > 0 && first === '{') return yield* this.object(levels - 1);
    if (levels > 0 && first === '[') return yield* this.list();
    const from = this.at;
    this.at = this.scan.endOfPiece(from);
    return this.parse(from, this.text.slice(from, this.at));
  }

  end(): void {
    if (this.next() !== '') throw this.unexpected();
  }

  private *object(levels: number): Steps<object> {
    const members: (readonly [string, unknown])[] = [];
    this.expect('{');
    while (this.next() !== '}') {
      if (members.length > 0) this.expect(',');
      if (members.length >= MAX_MEMBERS) throw new RangeError(`the JSON has an object of more than ${MAX_MEMBERS} members at character ${this.at}`);
      const name = this.name();
      this.expect(':');
      members.push([name, yield* this.value(levels)]);
      yield;
    }
    this.expect('}');
    // As JSON.parse: of a name that repeats the last value stands, and `__proto__` is a name like any other.
    return Object.fromEntries(members);
  }

  private *list(): Steps<unknown[]> {
    const items: unknown[] = [];
    this.expect('[');
    for (;;) {
      const from = this.at;
      this.at = this.scan.endOfPiece(from, BATCH_CHARS);
      const isLast = this.text[this.at] !== ',';
      const batch = this.parse(from, `[${this.text.slice(from, this.at)}]`);
      if (!Array.isArray(batch)) throw this.unexpected();
      // Nothing at all is a list; nothing before or after a comma is none.
      if (batch.length === 0 && !(isLast && items.length === 0)) throw this.unexpected();
      for (const item of batch) items.push(item);
      if (isLast) break;
      this.expect(',');
      yield;
    }
    this.expect(']');
    return items;
  }

  private name(): string {
    if (this.next() !== '"') throw this.unexpected();
    const from = this.at;
    this.at = this.scan.afterString(from);
    return String(this.parse(from, this.text.slice(from, this.at)));
  }

  /** The next character that is no space, '' at the end; it stays. */
  private next(): string {
    this.at = this.scan.afterSpace(this.at);
    return this.text.charAt(this.at);
  }

  private expect(character: string): void {
    if (this.next() !== character) throw this.unexpected();
    this.at += 1;
  }

  private parse(from: number, piece: string): unknown {
    try {
      return JSON.parse(piece);
    } catch (error) {
      throw new SyntaxError(`${error instanceof Error ? error.message : String(error)} (from character ${from} on)`, { cause: error });
    }
  }

  private unexpected(): SyntaxError {
    return new SyntaxError(`Unexpected ${this.next() === '' ? 'end' : 'token'} in JSON at character ${this.at}`);
  }
}
