import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const lib = join(import.meta.dirname, '..');

const HEAD = `--[[
Counts.

KEYS[1]  counter

ARGV[1]  limit  number
ARGV[2]  name   text

Reply: an integer.
TTL: none.
]]
`;
const BODY = `local key = KEYS[1]
local limit = tonumber(ARGV[1])
local name = ARGV[2] -- as it is
--- @include "clock"
return limit
`;

describe('npm run generate', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'lua-'));
    mkdirSync(join(dir, 'lua/include'), { recursive: true });
    write('count.lua', HEAD + BODY);
    write('include/clock.lua', "-- The clock.\nlocal time = redis.call('TIME')\n");
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const write = (file: string, text: string): void => writeFileSync(join(dir, 'lua', file), text);
  const generate = (...args: string[]): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, [join(lib, 'tools/generate.mjs'), '--lua', join(dir, 'lua'), '--out', join(dir, 'out'), ...args], { encoding: 'utf8' });

  it('embeds a script with its includes, without comments, with the SHA-1 of what is sent', () => {
    expect(generate()).toMatchObject({ status: 0, stderr: '' });
    const source = "local key = KEYS[1]\nlocal limit = tonumber(ARGV[1])\nlocal name = ARGV[2]\nlocal time = redis.call('TIME')\nreturn limit";
    const text = readFileSync(join(dir, 'out/count.ts'), 'utf8');
    expect(text).toContain(`source: \`${source}\``);
    expect(text).toContain(`sha1: '${createHash('sha1').update(source).digest('hex')}'`);
    expect(text).toContain(`keys: ['counter'],\n  args: ['limit', 'name'],`);
  });

  it('--check fails on drift, on a lost file and on one too many, and writes nothing', () => {
    expect(generate('--check').status).toBe(1);
    expect(readdirSync(dir)).not.toContain('out');
    generate();
    expect(generate('--check')).toMatchObject({ status: 0, stderr: '' });
    appendFileSync(join(dir, 'lua/count.lua'), '-- A comment changes nothing.\n');
    expect(generate('--check').status).toBe(0);
    write('count.lua', (HEAD + BODY).replace('return limit', 'return limit + 1'));
    expect(generate('--check')).toMatchObject({ status: 1, stderr: expect.stringContaining('count.ts') });
    generate();
    writeFileSync(join(dir, 'out/old.ts'), '');
    expect(generate('--check')).toMatchObject({ status: 1, stderr: expect.stringContaining('old.ts') });
    generate();
    expect(readdirSync(join(dir, 'out'))).toEqual(['count.ts']);
  });

  it.each([
    ['no head comment', BODY, 'no head comment'],
    ['no reply in the head', HEAD.replace('Reply:', 'Gives') + BODY, 'lacks "Reply:"'],
    ['no TTL rule in the head', HEAD.replace('TTL:', 'Time') + BODY, 'lacks "TTL:"'],
    ['a slot of no type', HEAD.replace('limit  number', 'limit') + BODY, 'neither number nor text'],
    ['a slot that the head does not name', HEAD + BODY.replace('ARGV[2]', 'ARGV[3]'), 'does not name ARGV[3]'],
    ['a key that the head does not name', HEAD + BODY.replace('return', 'local other = KEYS[2] return'), 'does not name KEYS[2]'],
    ['a slot that is not used', HEAD + BODY.replace('local name = ARGV[2]', ''), 'ARGV[2] is named but not used'],
    ['known failure 18: a number without tonumber', HEAD + BODY.replace('tonumber(ARGV[1])', 'ARGV[1]'), 'without tonumber'],
    ['known failure 18: a number that is used twice, once without', HEAD + BODY.replace('return limit', 'return ARGV[1] > 1'), 'without tonumber'],
    ['a float format', `${HEAD}${BODY}local text = string.format('%g', limit)\n`, 'float format'],
    ['tostring', `${HEAD}${BODY}local text = tostring(limit)\n`, 'tostring'],
    ['a clock of its own', `${HEAD}${BODY}local t = redis.call('TIME')\n`, 'only the clock reads TIME'],
    ['a key that is built', `${HEAD}${BODY}redis.call('GET', name .. ':x')\n`, 'a command acts on `key`'],
    ['an include that is none', `${HEAD}${BODY}-- @include "clock"\n`, 'not an include directive'],
  ])('refuses %s', (_, source, fault) => {
    write('count.lua', source);
    expect(generate()).toMatchObject({ status: 1, stderr: expect.stringContaining(fault) });
    expect(readdirSync(dir)).not.toContain('out');
  });

  it('refuses an include that reads slots, and one that includes itself', () => {
    write('include/clock.lua', 'local x = ARGV[1]\n');
    expect(generate().stderr).toContain('an include reads no KEYS or ARGV');
    write('include/clock.lua', '--- @include "clock"\n');
    expect(generate().stderr).toContain('includes itself');
  });

  it('what is committed is what the Lua files give', () => {
    expect(spawnSync(process.execPath, [join(lib, 'tools/generate.mjs'), '--check'], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});
