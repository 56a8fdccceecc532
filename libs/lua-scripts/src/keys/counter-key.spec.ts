import fc from 'fast-check';
import { counterKey, keyPrefix } from './counter-key.js';
import { identityCode } from './identity-code.js';
import { keySlot } from './key-slot.js';

const rule = 'free-default:sliding_counter:60000';

/** What survives the way to Redis: ioredis sends UTF-8. */
const onWire = (key: string): string => Buffer.from(key, 'utf8').toString('latin1');

/** Text made of what has broken key encodings before. */
const awkward = fc.array(
  fc.constantFrom(':', '{', '}', '|', '~', '\n', '\0', ' ', '/', 'a', 'b', '1', '2', 'é', 'e\u0301', '😀', '\ud83d', '\ude00', '\ufffd', '::ffff:1.2.3.4'),
  { maxLength: 6 },
).map((parts) => parts.join(''));
const values = fc.array(fc.oneof(awkward, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 60 })), { maxLength: 4 });
const identities = fc.oneof(fc.constantFrom('r:1', 'r1', 'r', 'r:'), awkward);

describe('R11 counter keys', () => {
  it('keep short plain values readable', () => {
    expect(counterKey(rule, ['demo-free'])).toBe(`s{demo-free}${identityCode(rule)}`);
    expect(counterKey(rule, ['demo-free', 'GET /v1/items/{id}'])).toBe(`s{demo-free}${identityCode(rule)}|GET /v1/items/{id}`);
    expect(counterKey(rule, ['2001:db8::/64'], 'prod:')).toBe(`prod:{2001:db8::/64}${identityCode(rule)}`);
    expect(counterKey(rule, [])).toBe(`s{${identityCode(rule)}}`);
  });

  it('R13 fit into 24 bytes of Redis for an id of 8 characters', () => {
    expect(counterKey(rule, ['k1234567']).length).toBeLessThanOrEqual(22);
  });

  it.each([
    ['known failure 32: a moved separator', ['a:b', 'c'], ['a', 'b:c']],
    ['known failure 32: a moved digit', ['21', '1'], ['2', '11']],
    ['the separator in a value', ['a', 'b|c'], ['a', 'b', 'c']],
    ['an empty value', ['a', ''], ['a']],
    ['an empty first value', [''], []],
    ['braces', ['a}b'], ['a', '}b']],
    ['NFC and NFD', ['é'], ['e\u0301']],
    ['lone surrogates', ['\ud800'], ['\ud801']],
    ['a lone surrogate and what UTF-8 makes of it', ['\ud800'], ['\ufffd']],
    ['halves of a pair, swapped', ['\ud83d\ude00'], ['\ude00\ud83d']],
    ['NUL', ['a\0'], ['a']],
    ['NUL and its escape', ['\0'], ['\\0']],
    ['a line feed', ['a\nb'], ['a', 'b']],
    ['a value that looks like a hash', ['~'], ['']],
    ['100 KB that differ at the end', ['x'.repeat(100_000)], [`${'x'.repeat(99_999)}y`]],
    ['41 characters that differ at the end', ['x'.repeat(41)], [`${'x'.repeat(40)}y`]],
  ])('keep apart %s', (_, a, b) => {
    expect(onWire(counterKey(rule, a))).not.toBe(onWire(counterKey(rule, b)));
  });

  it('keep apart rules, and values that look like another rule', () => {
    expect(counterKey('r:1', ['a'])).not.toBe(counterKey('r:11', ['a']));
    expect(counterKey('21', ['1'])).not.toBe(counterKey('1', ['12']));
    expect(counterKey('r', [identityCode('r')])).not.toBe(counterKey('r', []));
  });

  it('are injective whatever the values hold', () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(identities, values, (identity, list) => {
        const key = onWire(counterKey(identity, list));
        const source = JSON.stringify([identity, ...list]);
        expect(seen.get(key) ?? source).toBe(source);
        seen.set(key, source);
      }),
      { numRuns: 20_000, seed: 11 },
    );
  });

  it('are ASCII, short, and have a whole hash tag', () => {
    fc.assert(
      fc.property(identities, values, (identity, list) => {
        const key = counterKey(identity, list);
        expect(key).toMatch(/^s\{[!-z~]+\}[ -~]*$/);
        expect(key.length).toBeLessThanOrEqual(15 + 41 * list.length);
      }),
      { numRuns: 5_000, seed: 12 },
    );
  });

  it('known failure 31: a value of 100 KB is hashed, not cut or skipped', () => {
    expect(counterKey(rule, ['x'.repeat(100_000)]).length).toBeLessThan(40);
  });

  it('known failure 23: share the slot of their first value, braces in it or not', () => {
    fc.assert(
      fc.property(fc.oneof(awkward, fc.string({ unit: 'binary' })), identities, identities, values, (first, a, b, more) => {
        const slot = keySlot(counterKey(a, [first]));
        expect(keySlot(counterKey(b, [first]))).toBe(slot);
        expect(keySlot(counterKey(b, [first, ...more]))).toBe(slot);
      }),
      { numRuns: 5_000, seed: 13 },
    );
  });

  it('take a prefix that cannot break the tag', () => {
    expect(keyPrefix('eu-1:')).toBe('eu-1:');
    expect(keyPrefix('')).toBe('');
    for (const bad of ['a{', '}', 'a b', 'é', 'x'.repeat(17)]) expect(() => keyPrefix(bad)).toThrow(RangeError);
  });
});

describe('the code of a counting identity', () => {
  it('stays the same, and has one length', () => {
    expect(identityCode('free-default')).toBe(identityCode('free-default'));
    expect(identityCode('')).toHaveLength(11);
    expect(identityCode('x'.repeat(10_000))).toHaveLength(11);
  });

  it('forgets what it knows before it knows too much, and answers the same', () => {
    const before = identityCode('known');
    for (let i = 0; i < 25_000; i += 1) identityCode(`made-up-${i}`);
    expect(identityCode('known')).toBe(before);
  });
});
