import { mulDiv } from '@sluice/algorithms';
import { type ScriptClient } from '@sluice/lua-scripts';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORES } from './support/redis.js';

const include = (name: string): string => readFileSync(join(import.meta.dirname, `../src/lua/include/${name}.lua`), 'utf8');
const MANY = `${include('numbers')}${include('mul-div')}
local results = {}
for i = 1, #ARGV, 3 do
  local quotient, remainder = mul_div(tonumber(ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]))
  results[#results + 1] = string.format('%d %d', quotient, remainder)
end
return results`;

const MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Sizes of every kind, and powers of two and their neighbours, where remainders meet their half. */
const factor = fc.oneof(
  fc.maxSafeNat(),
  fc.integer({ min: 0, max: 1e9 }),
  fc.tuple(fc.nat({ max: 53 }), fc.integer({ min: -2, max: 2 })).map(([bits, off]) => Math.min(Number(MAX), Math.max(0, 2 ** bits + off))),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 50 })).map(([odd, bits]) => Math.min(Number(MAX), odd * 2 ** bits)),
);

describe.each(STORES.slice(0, 1))('R10 mul_div', ({ connect }) => {
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  it('is the exact floor and remainder of the product, up to 2^53-1, as the pure function has it', async () => {
    const triples = fc.sample(fc.tuple(factor, factor, factor.map((n) => Math.max(1, n))), { numRuns: 20_000, seed: 10 });
    const exact = triples.map(([a, b, c]) => {
      const product = BigInt(a) * BigInt(b);
      const quotient = product / BigInt(c);
      return quotient > MAX ? `${MAX} 0` : `${quotient} ${product % BigInt(c)}`;
    });
    const pure = triples.map(([a, b, c]) => mulDiv(a, b, c)).map(({ quotient, remainder }) => `${quotient} ${remainder}`);
    expect(pure).toEqual(exact);
    const lua: unknown[] = [];
    for (let i = 0; i < triples.length; i += 1_000) {
      const part = await client.eval(MANY, 0, ...triples.slice(i, i + 1_000).flat());
      lua.push(...(Array.isArray(part) ? part : []));
    }
    expect(lua).toEqual(exact);
  });
});
