import { readHeader } from './header.mjs';
import { strip } from './strip.mjs';

const FORBIDDEN = [
  [/%(?!\.0f)[-+ #0-9.]*[eEfgG]/, 'a float format'],
  [/\btostring\b/, 'tostring, which writes big integers as floats'],
  [/\bmath\.random|\bos\./, 'chance or a clock of its own'],
  [/^function |\n *function [a-z]/, 'a global function'],
];

/**
 * What holds for every Lua file, included or not; throws at the first fault.
 * @param {string} file
 * @param {string} source
 */
export function checkFile(file, source) {
  const code = strip(source);
  for (const [pattern, what] of FORBIDDEN) {
    if (pattern.test(code)) throw new Error(`${file}: ${what}`);
  }
  for (const [, command, subject] of code.matchAll(/redis\.p?call\('([A-Z]+)'(?:, ([^,)]+))?/g)) {
    if (command === 'TIME' ? file !== 'include/clock.lua' : subject !== 'key') {
      throw new Error(`${file}: ${command} on ${subject ?? 'nothing'}: a command acts on \`key\`, and only the clock reads TIME`);
    }
  }
  if (file.startsWith('include/') && /\b(KEYS|ARGV)\b/.test(code)) throw new Error(`${file}: an include reads no KEYS or ARGV`);
}

/**
 * The slots of a script are those that its head comment names, and every number goes through `tonumber`; throws at the first fault.
 * @param {string} file
 * @param {string} source
 * @returns {ReturnType<typeof readHeader>}
 */
export function checkSlots(file, source) {
  const header = readHeader(file, source);
  const code = strip(source);
  const used = { KEYS: new Set(), ARGV: new Set() };
  for (const [, before, table, index] of code.matchAll(/(tonumber\()?\b(KEYS|ARGV)\[([^\]]+)\]/g)) {
    const slot = index.replaceAll(' ', '');
    const named = table === 'KEYS' ? header.keys.get(slot) : header.args.get(slot);
    if (named === undefined) throw new Error(`${file}: the head comment does not name ${table}[${slot}]`);
    if (named.type === 'number' && before === undefined) throw new Error(`${file}: ${table}[${slot}] is used without tonumber`);
    used[table].add(slot);
  }
  for (const [table, slots] of [['KEYS', header.keys], ['ARGV', header.args]]) {
    for (const slot of slots.keys()) {
      if (!used[table].has(slot)) throw new Error(`${file}: ${table}[${slot}] is named but not used`);
    }
  }
  return header;
}
