import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DIRECTIVE = /^( *)--- @include "([a-z-]+)"$/;

/**
 * The source of a script with its includes in place of their directives, at any depth.
 * @param {string} dir Folder of the Lua sources.
 * @param {string} file Path in it.
 * @param {string[]} above Files that this one is included from.
 * @returns {string}
 */
export function expand(dir, file, above = []) {
  if (above.includes(file)) throw new Error(`${file}: includes itself: ${[...above, file].join(' -> ')}`);
  return readFileSync(join(dir, file), 'utf8')
    .split('\n')
    .map((line) => {
      const [, indent, name] = DIRECTIVE.exec(line) ?? [];
      if (name === undefined) {
        if (line.includes('@include')) throw new Error(`${file}: not an include directive: ${line.trim()}`);
        return line;
      }
      return indent + expand(dir, `include/${name}.lua`, [...above, file]);
    })
    .join('\n');
}
