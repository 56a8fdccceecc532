import { ipKey } from './ip-key.js';

describe('R77 R11 keys by address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    [' 203.0.113.9:4711', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[2001:DB8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1%eth0', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::1'],
    ['nonsense', 'unknown'],
    ['1.2.3', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('known failure 70: %s is %s', (address, key) => {
    expect(ipKey(address)).toBe(key);
  });

  it('counts by the network that is asked for', () => {
    expect(ipKey('2001:db8:1:2ff:3::', { v6Prefix: 56 })).toBe('2001:db8:1:200::/56');
    expect(ipKey('2001:db8:1:2::3', { v6Prefix: 128 })).toBe('2001:db8:1:2::3');
    expect(ipKey('203.0.113.9', { v4Prefix: 24 })).toBe('203.0.113.0/24');
  });

  it('known failure 71: takes no prefix that makes all one', () => {
    for (const v6Prefix of [0, -1, 129, 56.5, Number.NaN]) expect(() => ipKey('::1', { v6Prefix })).toThrow(RangeError);
    for (const v4Prefix of [0, 33]) expect(() => ipKey('1.2.3.4', { v4Prefix })).toThrow(RangeError);
  });
});
