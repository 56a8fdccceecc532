import { compileSnapshot } from '@sluice/rules';
import fc from 'fast-check';
import { counterKey, keyPrefix } from './counter-key.js';
import { counterPlace } from './counter-place.js';
import { groupCode } from './group-code.js';
import { identityCode, identityCodes } from './identity-code.js';
import { keySlot } from './key-slot.js';

const rule = 'free-default~sc60000';

/** What survives the way to Redis: ioredis sends UTF-8. */
const onWire = (key: string): string => Buffer.from(key, 'utf8').toString('latin1');

/** Text made of what has broken key encodings before. */
const awkward = fc.array(
  fc.constantFrom(':', '{', '}', '|', '~', '\n', '\0', ' ', '/', 'a', 'b', '1', '2', 'é', 'e\u0301', '😀', '\ud83d', '\ude00', '\ufffd', '::ffff:1.2.3.4'),
  { maxLength: 6 },
).map((parts) => parts.join(''));
const values = fc.array(fc.oneof(awkward, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 60 })), { maxLength: 4 });
const identities = fc.oneof(fc.constantFrom('r:1', 'r1', 'r', 'r:', 'r~sc60000', 'r~sc60000~ip', 'q~sc60000', 'r~sc6000', 'r~fw60000', 'r~fw@month@Europe/Berlin'), awkward);

describe('R11 counter keys', () => {
  it('keep short plain values readable', () => {
    const code = identityCode(rule);
    expect(counterKey(rule, ['demo-free'])).toBe(`s{${groupCode('s', 'demo-free')}}sc60000|${code}|demo-free`);
    expect(counterKey(rule, ['demo-free', 'GET /v1/items/{id}'])).toBe(`s{${groupCode('s', 'demo-free')}}sc60000|${code}|demo-free|GET /v1/items/{id}`);
    expect(counterKey(rule, ['2001:db8::/64'], 'prod:')).toBe(`prod:{${groupCode('prod:', '2001:db8::/64')}}sc60000|${code}|2001:db8::/64`);
    expect(counterKey(rule, [])).toBe(`s{${groupCode('s', code)}}sc60000|${code}`);
  });

  it('R13 are a group and a field that never makes a hash table of a listpack', () => {
    fc.assert(
      fc.property(identities, values, (identity, list) => {
        const name = counterKey(identity, list);
        const { group, field } = counterPlace(name);
        expect(group).toMatch(/^s\{[\w-]{3}\}(~[\w-]{11}|[a-z]{2}[^|{}~]+)$/);
        expect(field.length).toBeLessThanOrEqual(64);
        expect(name).toBe(`${group}|${field}`);
      }),
      { numRuns: 5_000, seed: 14 },
    );
    expect(counterPlace(counterKey(rule, ['x'.repeat(40), 'y'.repeat(40)])).field).toMatch(/^[\w-]{11}\|\|[\w-]{22}$/);
  });

  it('known failure 23: a name and its group have one slot', () => {
    const name = counterKey(rule, ['{x}', '{y}']);
    expect(keySlot(name)).toBe(keySlot(counterPlace(name).group));
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
    ['a long field and what it is hashed to', ['x'.repeat(40), 'y'.repeat(40)], [counterPlace(counterKey(rule, ['x'.repeat(40), 'y'.repeat(40)])).field.slice(12)]],
    ['two of 40 characters, moved', ['x'.repeat(40), 'y'.repeat(40), 'z'], ['x'.repeat(40), 'y'.repeat(40) + 'z']],
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
        expect(key).toMatch(/^s\{[\w-]+\}[ -~]*$/);
        expect(key.length).toBeLessThanOrEqual(71 + identityCodes(identity).family.length);
      }),
      { numRuns: 5_000, seed: 12 },
    );
  });

  it('known failure 31: a value of 100 KB is hashed, not cut or skipped', () => {
    expect(counterKey(rule, ['x'.repeat(100_000)]).length).toBeLessThan(50);
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

describe('R13 the group of a first value', () => {
  it('is one of 65,536, which are used evenly over values that differ little', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 262_144; i += 1) {
      const code = groupCode('s', `k${i}`);
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    expect(counts.size).toBeGreaterThan(64_000);
    // Four in the mean: chance alone leaves 1,200 out, and gives a greatest of about 16.
    expect(Math.max(...counts.values())).toBeLessThan(22);
  });

  it('spreads over the slots of a cluster', () => {
    const slots = new Uint32Array(16_384);
    for (let i = 0; i < 65_536; i += 1) {
      const slot = keySlot(counterKey(rule, [`10.${i >> 8}.${i & 255}.7`]));
      slots[slot] = (slots[slot] ?? 0) + 1;
    }
    const thirds = [0, 1, 2].map((third) => slots.slice(third * 5_461, (third + 1) * 5_461).reduce((sum, n) => sum + n, 0));
    for (const third of thirds) expect(third).toBeGreaterThan(20_800);
    expect(Math.max(...slots)).toBeLessThan(30);
  });

  it('is another one under another prefix, and the same on every node', () => {
    expect(groupCode('s', 'demo-free')).toBe('IE6');
    expect(groupCode('eu', 'demo-free')).not.toBe(groupCode('s', 'demo-free'));
  });
});

describe('R13 the family of a counting identity', () => {
  const familyOf = (identity: string): string => identityCodes(identity).family;
  const rule = { rule_id: 'r', limit: 5, window_seconds: 60, version: 1 };

  it('is what rules of one algorithm and window have in common, as the rules themselves write it', () => {
    const identities = [
      rule,
      { ...rule, rule_id: 'other', limit: 9, count_by: ['ip', 'endpoint'] },
      { ...rule, window_seconds: 61 },
      { ...rule, algorithm: 'gcra' as const },
      { ...rule, sub_buckets: 6 },
    ].map((each) => compileSnapshot({ version: 1, plans: [], rules: [each], overrides: [] }).match({ key_id: 'k', ip: '1.2.3.4', endpoint: 'GET /' }, 0)[0]?.rule.identity ?? '');
    expect(identities.map(familyOf)).toEqual(['sc60000', 'sc60000', 'sc61000', 'gc60000', 'sc60000/6']);
  });

  it('holds a calendar and its zone, and is nothing that two identities share unless they say so', () => {
    expect(familyOf('r~fw@month@Europe/Berlin~ip')).toBe('fw@month@Europe/Berlin');
    expect(familyOf('r~fw@day@Etc/GMT+5')).toBe('fw@day@Etc/GMT+5');
    for (const free of ['r', 'r~', 'r~x', 'r~sc', 'r~sc6|0', 'r~sc6{0', `r~sc${'1'.repeat(80)}`]) expect(familyOf(free)).toBe(`~${identityCode(free)}`);
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
