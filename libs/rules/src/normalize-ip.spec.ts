import { isIP } from 'node:net';
import fc from 'fast-check';
import { normalizeIp } from './normalize-ip.js';

describe('R11 addresses as clients (known failure 70)', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['1.2.3.4:8080', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::ffff:102:304', '1.2.3.4'],
    ['::FFFF:1.2.3.4', '1.2.3.4'],
    ['0:0:0:0:0:ffff:102:304', '1.2.3.4'],
    ['[::ffff:1.2.3.4]:443', '1.2.3.4'],
    ['::ffff:1.2.3.4%eth0', '1.2.3.4'],
    ['::ffff:1.2.3.5', '1.2.3.5'],
    ['2001:db8::1.2.3.4', '2001:db8::/64'],
    ['2001:db8:0:1::1.2.3.4', '2001:db8:0:1::/64'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['fe80::1%25en0.100-a', 'fe80::/64'],
    ['fe80::1', 'fe80::/64'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['64:FF9B::102:304', '64:ff9b::102:304'],
    ['64:ff9b::1.2.3.5', '64:ff9b::102:305'],
    ['64:ff9b:1::1.2.3.4', '64:ff9b:1::/64'],
    ['::', '::'],
    ['::1', '::1'],
    ['::1.2.3.4', '::102:304'],
    ['::102:304', '::102:304'],
    ['::ffff:0:1.2.3.4', '::ffff:0:102:304'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['1::', '1::/64'],
    ['2002:102:304::1', '2002:102:304::/64'],
  ])('%s is %s', (text, client) => {
    expect(normalizeIp(text)).toBe(client);
  });

  it.each(['', 'unknown', '_hidden', 'localhost', '1', '1.2', '1.2.3', '0x7f.1', '01.2.3.4', '1.2.3.256', '1.2.3.4.5', ' 1.2.3.4', '1.2.3.4\n', '1.2.3.4%eth0', '1.2.3.4:', '1.2.3.4/24', '1:2', ':::', '1:::2', '12345::', '1:2:3:4:5:6:7:8:9', '[1.2.3.4]', '[::1', '::1]', '[::1]x', '[::1]:', '[]', '%eth0', '::ffff:1.2.3'])(
    '%j is no address',
    (text) => {
      expect(normalizeIp(text)).toBeUndefined();
    },
  );

  it.each([
    ['203.0.113.129', 24, 56, '203.0.113.0/24'],
    ['203.0.113.129', 25, 56, '203.0.113.128/25'],
    ['::ffff:203.0.113.129', 25, 56, '203.0.113.128/25'],
    ['203.0.113.129', 0, 56, '0.0.0.0/0'],
    ['2001:db8:1:2f3::1', 24, 56, '2001:db8:1:200::/56'],
    ['2001:db8:1:2f3::1', 24, 60, '2001:db8:1:2f0::/60'],
    ['2001:db8:1:2f3::1', 24, 128, '2001:db8:1:2f3::1'],
    ['2001:db8:1:2f3::1', 24, 127, '2001:db8:1:2f3::/127'],
    ['2001:db8::1', 24, 0, '::/0'],
    ['64:ff9b::203.0.113.129', 24, 56, '64:ff9b::cb00:7100/120'],
    ['::1', 24, 56, '::1'],
  ])('%s at /%d and /%d is %s', (text, v4Prefix, v6Prefix, client) => {
    expect(normalizeIp(text, { v4Prefix, v6Prefix })).toBe(client);
  });

  const part = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.constantFrom(0xffff, 0x64, 0xff9b, 1), fc.nat(0xffff));
  const parts = fc.array(part, { minLength: 8, maxLength: 8 });

  /** All ways to write one address that the fuzz knows. */
  function spellings(groups: readonly number[]): string[] {
    const hex = groups.map((group) => group.toString(16));
    const padded = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
    const [high = 0, low = 0] = groups.slice(6);
    const dotted = `${hex.slice(0, 6).join(':')}:${String(high >> 8)}.${String(high & 255)}.${String(low >> 8)}.${String(low & 255)}`;
    const compressed = [hex.join(':'), dotted].flatMap((text) => [...text.matchAll(/(^|:)0(:0)+(?=:|$)/g)].map(({ 0: run, index }) => `${text.slice(0, index)}::${text.slice(index + run.length).replace(/^:/, '')}`));
    const all = [hex.join(':'), padded, dotted, ...compressed];
    return [...all, ...all.map((text) => `${text}%eth0`), ...all.map((text) => `[${text}]:80`)];
  }

  it('every spelling of one address is one client', () => {
    fc.assert(
      fc.property(parts, (groups) => {
        const texts = spellings(groups);
        for (const text of texts) expect([text, isIP(text.replace(/^\[(.*)\]:80$/, '$1'))]).toEqual([text, 6]);
        expect(new Set(texts.map((text) => normalizeIp(text))).size).toBe(1);
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });

  it('two addresses are one client only if they share a /64 or an IPv4 address, and an IPv4 client only if mapped', () => {
    const key = (groups: readonly number[]): string => {
      const whole = groups.join(':');
      if (/^0:0:0:0:|^100:65435:0:0:0:0:/.test(whole)) return whole;
      return groups.slice(0, 4).join(':');
    };
    fc.assert(
      fc.property(parts, parts, fc.nat(8), (a, other, shared) => {
        const b = [...a.slice(0, shared), ...other.slice(shared)];
        const [first, second] = [a, b].map((groups) => normalizeIp(groups.map((group) => group.toString(16)).join(':')));
        expect(first === second).toBe(key(a) === key(b));
        expect(/^[\d.]+$/.test(first ?? '')).toBe(a.join(':').startsWith('0:0:0:0:0:65535:'));
      }),
      { seed: 8, numRuns: 5_000 },
    );
  });

  it('IPv4 and IPv4-mapped are one client', () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        expect(normalizeIp(`::ffff:${v4}`)).toBe(normalizeIp(v4));
      }),
      { seed: 9 },
    );
  });

  it('never throws, whatever the text', () => {
    const shards = fc.array(fc.constantFrom('::', ':', '1', 'ffff', '.', '1.2.3.4', '[', ']', '%', '/', '0x', 'é', '\u0000'), { maxLength: 12 }).map((list) => list.join(''));
    fc.assert(
      fc.property(fc.oneof(shards, fc.string({ unit: 'binary' })), (text) => {
        const client = normalizeIp(text);
        if (client !== undefined) expect(isIP(client.replace(/\/\d+$/, ''))).not.toBe(0);
      }),
      { seed: 10, numRuns: 5_000 },
    );
  });
});
