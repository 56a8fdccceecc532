const SLOT = /^(KEYS|ARGV)\[([^\]]+)\] +([a-z_]+(?: i)?)(?: +(\S+))?/gm;

/**
 * The contract in the head comment of a script: its slots by their index expression, blanks left out.
 * @param {string} file
 * @param {string} source
 * @returns {{ keys: Map<string, string>, args: Map<string, { name: string, type: string }> }}
 */
export function readHeader(file, source) {
  const head = /^--\[\[(.*?)\]\]/s.exec(source)?.[1];
  if (head === undefined) throw new Error(`${file}: no head comment`);
  for (const part of ['Reply:', 'TTL:']) {
    if (!head.includes(`\n${part} `)) throw new Error(`${file}: the head comment lacks "${part}"`);
  }
  const keys = new Map();
  const args = new Map();
  for (const [, table, index, name, type] of head.matchAll(SLOT)) {
    if (table === 'KEYS') keys.set(index, name);
    else if (type === 'number' || type === 'text') args.set(index, { name, type });
    else throw new Error(`${file}: ARGV[${index}] is neither number nor text`);
  }
  return { keys, args };
}
