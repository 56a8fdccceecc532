import type { Descriptor } from '../messages.js';
import { MAX_ENTRIES } from '../request-bounds.js';
import { descriptorAttributes, MAX_KEY_LENGTH } from './descriptor-attributes.js';

type Entry = readonly [key: string, value: string];

function read(...entries: readonly Entry[]): ReturnType<typeof descriptorAttributes> {
  const descriptor: Descriptor = { entries: entries.map(([key, value]) => ({ key, value })), limit: undefined, hitsAddend: undefined, isNegativeHits: false };
  return descriptorAttributes('shop', descriptor, 3);
}

describe('R73 a descriptor as attributes', () => {
  it.each<[string, readonly Entry[], Record<string, string>]>([
    ['each entry by its key', [['plan', 'free'], ['key_id', 'k1']], { plan: 'free', key_id: 'k1' }],
    ['an empty value, which is a value', [['key_id', '']], { key_id: '' }],
    ['no entries, as Envoy sends when all actions skip', [], {}],
    ['a key that comes again, by number', [['a', '1'], ['b', 'x'], ['a', '2'], ['a', '3']], { a: '1', b: 'x', a_2: '2', a_3: '3' }],
    ['the address by the name that rules count by, too', [['remote_address', '10.0.0.1']], { remote_address: '10.0.0.1', ip: '10.0.0.1' }],
    ['an entry named ip before the address, whichever comes first', [['remote_address', '10.0.0.1'], ['ip', '10.0.0.2']], { remote_address: '10.0.0.1', ip: '10.0.0.2' }],
    ['the same the other way round', [['ip', '10.0.0.2'], ['remote_address', '10.0.0.1']], { remote_address: '10.0.0.1', ip: '10.0.0.2' }],
    ['keys of any script', [['ключ', 'значение 🙂']], { ключ: 'значение 🙂' }],
  ])('takes %s', (_what, entries, attributes) => {
    expect({ ...(read(...entries) as object) }).toEqual({ domain: 'shop', ...attributes });
  });

  it('knows no inherited names, and takes them for what they are', () => {
    const none = read(['a', 'b']) as Record<string, string | undefined>;
    expect([none['constructor'], none['toString'], none['__proto__'], none['hasOwnProperty']]).toEqual([undefined, undefined, undefined, undefined]);
    const odd = read(['__proto__', '1'], ['constructor', '2'], ['toString', '3'], ['__proto__', '4']) as Record<string, string | undefined>;
    expect(Object.entries(odd)).toEqual([['domain', 'shop'], ['__proto__', '1'], ['constructor', '2'], ['toString', '3'], ['__proto___2', '4']]);
  });

  it('takes the largest that is allowed', () => {
    const entries = Array.from({ length: MAX_ENTRIES }, (_value, at): Entry => [`${'k'.repeat(MAX_KEY_LENGTH - 2)}${10 + at}`, '']);
    expect(typeof read(...entries)).toBe('object');
  });

  it('takes values however long: a client must not get past its limits by a fault that Envoy lets pass (known failure 31)', () => {
    expect((read(['k', 'é'.repeat(100_000)]) as Record<string, string>)['k']).toHaveLength(100_000);
  });

  it.each<[string, readonly Entry[], RegExp]>([
    ['domain, which is a field', [['domain', 'x']], /^descriptors\[3\]\.entries\[0\]\.key must not be domain/],
    ['an empty key', [['a', ''], ['', 'x']], /^descriptors\[3\]\.entries\[1\]\.key must be a string of 1 to 128/],
    ['a long key', [['k'.repeat(129), '']], /entries\[0\]\.key/],
    ['33 entries', Array.from({ length: 33 }, (_value, at): Entry => [`k${at}`, '']), /^descriptors\[3\]\.entries must have at most 32/],
    ['a repeated key whose new name is taken', [['a', '1'], ['a_2', '2'], ['a', '3']], /entries\[2\]\.key must not name "a_2" twice/],
    ['a key that is the new name of a repeated one', [['a', '1'], ['a', '2'], ['a_2', '3']], /entries\[2\]\.key must not name "a_2" twice/],
  ])('deviation: refuses %s', (_what, entries, fault) => {
    expect(read(...entries)).toMatch(fault);
  });
});
