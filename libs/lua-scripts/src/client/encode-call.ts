import type { LuaScript } from '../lua-script.js';
import type { ScriptCommand } from '../script-command.js';

/** What is sent instead of a call that nobody waits for any more, but that has its place among the replies: it runs nothing. */
export const NOTHING = '*1\r\n$4\r\nPING\r\n';

const hashes = new WeakMap<LuaScript, string>();
const tails = new WeakMap<readonly string[], string>();

/**
 * The call as Redis reads it (RESP, an array of bulk strings): one text, which the socket copies once. Nearly always all of it is ASCII,
 * where a text has as many bytes as characters; one look at the whole tells.
 */
export function encodeCall(name: 'evalsha' | 'eval', { script, keys, args, shared }: ScriptCommand<unknown>): string {
  const count = `*${3 + keys.length + args.length}\r\n`;
  const known = shared !== undefined && endsWith(args, shared) ? shared : undefined;
  const own = args.length - (known?.length ?? 0);
  const head = name === 'evalsha' ? hashOf(script) : bulk(name) + bulk(script.source);
  let text = `${count}${head}${keys.length === 1 ? '$1\r\n1\r\n' : bulk(String(keys.length))}`;
  for (const key of keys) text += asciiBulk(key);
  for (let at = 0; at < own; at += 1) text += asciiBulk(args[at] ?? '');
  if (known !== undefined) text += tailOf(known);
  if (Buffer.byteLength(text) === text.length) return text;
  return `${count}${head}${[String(keys.length), ...keys, ...args].map(bulk).join('')}`;
}

/** A command that was made from another one may have kept its `shared` beside arguments of its own. */
function endsWith(args: readonly string[], shared: readonly string[]): boolean {
  const own = args.length - shared.length;
  if (own < 0) return false;
  for (let at = 0; at < shared.length; at += 1) if (args[own + at] !== shared[at]) return false;
  return true;
}

function hashOf(script: LuaScript): string {
  let head = hashes.get(script);
  if (head === undefined) hashes.set(script, (head = bulk('evalsha') + bulk(script.sha1)));
  return head;
}

function tailOf(shared: readonly string[]): string {
  let tail = tails.get(shared);
  if (tail === undefined) tails.set(shared, (tail = shared.map(bulk).join('')));
  return tail;
}

function asciiBulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}
