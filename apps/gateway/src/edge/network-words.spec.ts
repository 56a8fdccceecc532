import { isIP, SocketAddress } from 'node:net';
import { canonicalAddress } from '@sluice/middleware';
import fc from 'fast-check';
import { networkWords } from './network-words.js';

function wordsOf(address: string, prefix = 128): string | undefined {
  const words = new Uint32Array(4);
  return networkWords(address, prefix, words) ? [...words].map((word) => word.toString(16)).join(' ') : undefined;
}

describe('R76 the network of an address', () => {
  it.each([
    ['192.0.2.1', '0 0 ffff c0000201'],
    ['255.255.255.255', '0 0 ffff ffffffff'],
    ['2001:db8::1', '20010db8 0 0 1'],
    ['::', '0 0 0 0'],
    ['::1', '0 0 0 1'],
    ['fe80::', 'fe800000 0 0 0'],
    ['1:2:3:4:5:6:7:8', '10002 30004 50006 70008'],
    ['1::8', '10000 0 0 8'],
    ['::1.2.3.4', '0 0 0 1020304'],
  ])('%s', (address, words) => {
    expect(wordsOf(address)?.split(' ').map((word) => word.padStart(8, '0'))).toEqual(words.split(' ').map((word) => word.padStart(8, '0')));
  });

  it('two addresses of one /64 are one client, and of another are not', () => {
    expect(wordsOf('2001:db8:1:2::1', 64)).toBe(wordsOf('2001:db8:1:2:ffff::9', 64));
    expect(wordsOf('2001:db8:1:2::1', 64)).not.toBe(wordsOf('2001:db8:1:3::1', 64));
    expect(wordsOf('2001:db8:1:2::1', 56)).toBe(wordsOf('2001:db8:1:3::1', 56));
    expect(wordsOf('192.0.2.1', 64)).not.toBe(wordsOf('192.0.2.2', 64));
  });

  it.each(['unknown', '', 'x', '1.2.3', '1.2.3.x', 'g::1'])('%j is none', (text) => expect(wordsOf(text)).toBeUndefined());

  it('says of every IPv6 address what its bytes say', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        fc.pre(isIP(text) === 6);
        const address = canonicalAddress(text) ?? '';
        fc.pre(address.includes(':'));
        const groups = (wordsOf(address) ?? '').split(' ').map((word) => word.padStart(8, '0').replace(/(.{4})/, '$1:'));
        expect(new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address).toBe(address);
      }),
      { seed: 76, numRuns: 500 },
    );
  });
});
