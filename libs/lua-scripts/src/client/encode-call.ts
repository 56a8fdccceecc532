import type { ScriptCommand } from '../script-command.js';

/** Arguments whose encoding is kept, at most, and how long they may be: those of the rules, and small numbers, come again and again. */
const MAX_KNOWN = 4_096;
const MAX_KNOWN_LENGTH = 16;
const known = new Map<string, string>();

/** What is sent instead of a call that nobody waits for any more, but that has its place among the replies: it runs nothing. */
export const NOTHING = '*1\r\n$4\r\nPING\r\n';

/**
 * The call as Redis reads it (RESP, an array of bulk strings): one text, which the socket copies once. Nearly always all of it is ASCII,
 * where a text has as many bytes as characters; one look at the whole tells.
 */
export function encodeCall(name: 'evalsha' | 'eval', { script, keys, args }: ScriptCommand<unknown>): string {
  const body = name === 'evalsha' ? script.sha1 : script.source;
  const head = `*${3 + keys.length + args.length}\r\n$${name.length}\r\n${name}\r\n$`;
  const text = `${head}${body.length}\r\n${body}\r\n${keys.length === 1 ? '$1\r\n1\r\n' : bulk(String(keys.length))}${asciiBulks(keys)}${asciiBulks(args)}`;
  if (Buffer.byteLength(text) === text.length) return text;
  return `${head}${Buffer.byteLength(body)}\r\n${body}\r\n${[String(keys.length), ...keys, ...args].map(bulk).join('')}`;
}

function asciiBulks(texts: readonly string[]): string {
  let all = '';
  for (const text of texts) all += asciiBulk(text);
  return all;
}

function asciiBulk(text: string): string {
  if (text.length > MAX_KNOWN_LENGTH) return `$${text.length}\r\n${text}\r\n`;
  let encoded = known.get(text);
  if (encoded === undefined) {
    encoded = `$${text.length}\r\n${text}\r\n`;
    if (known.size < MAX_KNOWN) known.set(text, encoded);
  }
  return encoded;
}

function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}
