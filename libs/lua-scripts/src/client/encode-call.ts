import { SharedTake } from '../commands/shared-take.js';
import type { LuaScript } from '../lua-script.js';
import type { ScriptCommand } from '../script-command.js';

/** What is sent instead of a call that nobody waits for any more, but that has its place among the replies: it runs nothing. */
export const NOTHING = '*1\r\n$4\r\nPING\r\n';

/** Lengths whose text is kept: names of counters are shorter than 100 characters. */
const KNOWN_LENGTHS = 128;
const lengths = Array.from({ length: KNOWN_LENGTHS }, (_, length) => lengthText(length));
const hashes = new WeakMap<LuaScript, string>();
/** What comes before the key and after the counter's name, by what many takes share; all of those are of one script. */
const surroundings = new WeakMap<readonly string[], { readonly head: string; readonly tail: string }>();

/**
 * The call as Redis reads it (RESP, an array of bulk strings): one text, which the socket copies once. Nearly always all of it is ASCII,
 * where a text has as many bytes as characters; one look at the whole tells.
 */
export function encodeCall(name: 'evalsha' | 'eval', command: ScriptCommand<unknown>): string {
  if (name === 'evalsha' && command instanceof SharedTake) {
    const text = encodeTake(command);
    if (Buffer.byteLength(text) === text.length) return text;
  }
  const { script, keys, args } = command;
  const count = `*${3 + keys.length + args.length}\r\n`;
  const head = name === 'evalsha' ? hashOf(script) : bulk(name) + bulk(script.source);
  let text = `${count}${head}${bulk(String(keys.length))}`;
  for (const key of keys) text += asciiBulk(key);
  for (const arg of args) text += asciiBulk(arg);
  if (Buffer.byteLength(text) === text.length) return text;
  return `${count}${head}${[String(keys.length), ...keys, ...args].map(bulk).join('')}`;
}

/** As few pieces as can be: each is an object. */
function encodeTake({ script, key, field, shared }: SharedTake): string {
  let around = surroundings.get(shared);
  if (around === undefined) {
    const count = 4 + (field === undefined ? 0 : 1) + shared.length;
    around = { head: `*${count}\r\n${hashOf(script)}$1\r\n1`, tail: `\r\n${shared.map(bulk).join('')}` };
    surroundings.set(shared, around);
  }
  const upToField = around.head + lengthOf(key) + key;
  return (field === undefined ? upToField : upToField + lengthOf(field) + field) + around.tail;
}

function lengthOf({ length }: string): string {
  return lengths[length] ?? lengthText(length);
}

/** After the end of what comes before. */
function lengthText(length: number): string {
  return `\r\n$${length}\r\n`;
}

function hashOf(script: LuaScript): string {
  let head = hashes.get(script);
  if (head === undefined) hashes.set(script, (head = bulk('evalsha') + bulk(script.sha1)));
  return head;
}

function asciiBulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}
