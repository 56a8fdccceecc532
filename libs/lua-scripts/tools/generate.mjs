// Embeds the Lua scripts in TypeScript: node tools/generate.mjs [--check] [--lua DIR] [--out DIR]
// --check writes nothing, and fails when what is there is not what would be written.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkFile, checkSlots } from './check.mjs';
import { expand } from './expand.mjs';
import { strip } from './strip.mjs';

const src = join(import.meta.dirname, '../src');
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    lua: { type: 'string', default: join(src, 'lua') },
    out: { type: 'string', default: join(src, 'generated') },
  },
});

/** The module that embeds one script. */
function moduleOf(file) {
  const name = file.replace('.lua', '');
  const { keys, args } = checkSlots(file, readFileSync(join(values.lua, file), 'utf8'));
  const source = strip(expand(values.lua, file));
  const names = (list) => `[${list.map((each) => `'${each}'`).join(', ')}]`;
  return [
    `// Generated from src/lua/${file} by \`npm run generate\`; do not edit.`,
    `import type { LuaScript } from '../lua-script.js';`,
    ``,
    `export const ${name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())}: LuaScript = {`,
    `  name: '${name}',`,
    `  sha1: '${createHash('sha1').update(source).digest('hex')}',`,
    `  keys: ${names([...keys.values()])},`,
    `  args: ${names([...args.values()].map((arg) => arg.name))},`,
    `  source: \`${source.replace(/[\\`]|\$\{/g, '\\$&')}\`,`,
    `};`,
    ``,
  ].join('\n');
}

const luaFiles = (dir) => readdirSync(join(values.lua, dir)).filter((file) => file.endsWith('.lua')).sort();

try {
  for (const file of [...luaFiles('.'), ...luaFiles('include').map((name) => `include/${name}`)]) {
    checkFile(file, readFileSync(join(values.lua, file), 'utf8'));
  }
  const modules = new Map(luaFiles('.').map((file) => [file.replace('.lua', '.ts'), moduleOf(file)]));
  const present = existsSync(values.out) ? readdirSync(values.out) : [];
  const stale = present.filter((file) => !modules.has(file));
  if (values.check) {
    const drifted = [...modules.keys()].filter((file) => !present.includes(file) || readFileSync(join(values.out, file), 'utf8') !== modules.get(file));
    if (drifted.length + stale.length > 0) throw new Error(`not as generated: ${[...drifted, ...stale].join(', ')}`);
  } else {
    mkdirSync(values.out, { recursive: true });
    for (const file of stale) rmSync(join(values.out, file));
    for (const [file, text] of modules) writeFileSync(join(values.out, file), text);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
