import fc from 'fast-check';
import { counterKey } from './counter-key.js';
import { counterPlace } from './counter-place.js';
import { keySlot, tagSlot } from './key-slot.js';
import { shardKey } from './shard-key.js';

const rule = 'hot~sc1000';
const awkward = fc
  .array(fc.constantFrom(':', '{', '}', '|', '~', '~~', '0/2', '1/2', '\n', '\0', ' ', 'a', '1', 'é', '\ud83d', 'x'.repeat(38)), { maxLength: 4 })
  .map((parts) => parts.join(''));
const shards = (name: string, of: number): string[] => Array.from({ length: of }, (_, at) => shardKey(name, at, of));

describe('R28 names of shards', () => {
  it('are a group and a field as those of whole counters are', () => {
    expect(shardKey(counterKey(rule, ['acme']), 3, 8)).toMatch(/^s\{[\w-]{3}\}sc1000\|~~3\/8\|[\w-]{11}\|acme$/);
    expect(shardKey(counterKey(rule, []), 3, 8)).toMatch(/^s\{[\w-]{3}\}sc1000\|~~3\/8\|[\w-]{11}$/);
    expect(shardKey(counterKey(rule, ['x'.repeat(40), 'y'.repeat(11)], 'eu'), 63, 64)).toMatch(/^eu\{[\w-]{3}\}sc1000\|~~63\/64\|\|[\w-]{22}$/);
  });

  it('R11 keep apart shards, whole counters and split ones, whatever the values hold', () => {
    const seen = new Map<string, string>();
    const keep = (key: string, source: string): void => {
      expect(counterPlace(key).field.length).toBeLessThanOrEqual(64);
      expect(seen.get(key) ?? source).toBe(source);
      seen.set(key, source);
    };
    fc.assert(
      fc.property(fc.array(awkward, { maxLength: 3 }), fc.integer({ min: 2, max: 64 }), (values, of) => {
        const name = counterKey(rule, values);
        keep(name, JSON.stringify(values));
        shards(name, of).forEach((key, at) => keep(key, JSON.stringify([values, at, of])));
      }),
      { numRuns: 300, seed: 28 },
    );
  });

  it.each([2, 3, 4, 6, 8, 16, 24, 64])('lie at equal distances in the slots: %i shards are as many for each of three masters, give or take one', (of) => {
    for (let key = 0; key < 50; key += 1) {
      const counts = [0, 0, 0];
      for (const shard of shards(counterKey(rule, [`tenant-${key}`]), of)) {
        const master = Math.floor((keySlot(shard) * 3) / 16_384);
        counts[master] = (counts[master] ?? 0) + 1;
      }
      expect(Math.max(...counts)).toBeLessThanOrEqual(Math.ceil(of / 3) + 1);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(Math.floor(of / 3) - 1);
    }
  });

  it('are the same on every node', () => {
    expect(shardKey(counterKey(rule, ['acme']), 0, 2)).toBe(shardKey(counterKey(rule, ['acme']), 0, 2));
    expect(new Set(shards(counterKey(rule, ['acme']), 64).map(keySlot)).size).toBe(64);
  });

  it('lie in slots that their tag alone says', () => {
    for (const key of shards(counterKey(rule, ['acme']), 8)) expect(tagSlot(/\{(.*?)\}/.exec(key)?.[1] ?? '')).toBe(keySlot(key));
  });
});
