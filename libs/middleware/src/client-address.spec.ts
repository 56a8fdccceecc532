import { clientAddress } from './client-address.js';
import { canonicalAddress } from './ip-address.js';
import { parseProxyTrust, trustedProxies } from './trusted-proxies.js';
import type { ProxyTrust } from './trusted-proxies.js';

function from(trust: ProxyTrust, socket: string, forwarded?: string): string {
  return clientAddress(socket, forwarded, trustedProxies(trust));
}

describe('R77 client address', () => {
  it('ignores the field when nobody is trusted', () => {
    expect(from('none', '203.0.113.9', '1.1.1.1')).toBe('203.0.113.9');
    expect(from({ hops: 0 }, '203.0.113.9', '1.1.1.1')).toBe('203.0.113.9');
    expect(from({ cidrs: ['10.0.0.0/8'] }, '203.0.113.9', '1.1.1.1')).toBe('203.0.113.9');
  });

  it('takes the entry that our outermost proxy wrote, whatever a client put before it', () => {
    expect(from({ hops: 1 }, '10.0.0.1', '198.51.100.7')).toBe('198.51.100.7');
    expect(from({ hops: 1 }, '10.0.0.1', '6.6.6.6, 198.51.100.7')).toBe('198.51.100.7');
    expect(from({ hops: 2 }, '10.0.0.1', '6.6.6.6, 198.51.100.7, 10.0.0.2')).toBe('198.51.100.7');
    expect(from({ cidrs: ['10.0.0.0/8'] }, '10.0.0.1', '6.6.6.6, 198.51.100.7, 10.0.0.2')).toBe('198.51.100.7');
    expect(from({ cidrs: ['10.0.0.0/8', '2001:db8:1::/48'] }, '2001:db8:1::5', '6.6.6.6,198.51.100.7,10.9.9.9')).toBe('198.51.100.7');
  });

  it('stops at the left end when every hop is ours', () => {
    expect(from({ hops: 5 }, '10.0.0.1', '198.51.100.7, 10.0.0.2')).toBe('198.51.100.7');
    expect(from({ cidrs: ['10.0.0.0/8'] }, '10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3');
  });

  it.each(['', 'unknown', 'garbage', '999.1.1.1', '1.2.3', '0x7f.1', '[::1', '1.2.3.4:notaport', '2001:db8::/32', ' , '])(
    'falls back to the socket when the hop is no address: %j',
    (entry) => {
      expect(from({ hops: 1 }, '10.0.0.1', `6.6.6.6,${entry}`)).toBe('10.0.0.1');
    },
  );

  it('reads a chain of thousands from the right only', () => {
    expect(from({ hops: 1 }, '10.0.0.1', `${'6.6.6.6,'.repeat(5000)}198.51.100.7`)).toBe('198.51.100.7');
  });

  it('has an answer for a socket that is gone', () => {
    expect(clientAddress(undefined, '1.1.1.1', trustedProxies({ hops: 1 }))).toBe('unknown');
  });

  it('known failure 71: refuses to trust everybody', () => {
    const loose: unknown = true;
    expect(() => trustedProxies(loose as ProxyTrust)).toThrow(RangeError);
    for (const text of ['true', '*', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/', 'loopback', '10.0.0.1,,', '-1', '1.5']) {
      expect(() => trustedProxies(parseProxyTrust(text))).toThrow(RangeError);
    }
    expect(() => trustedProxies({ hops: 1.5 })).toThrow(RangeError);
  });

  it('reads the setting from text', () => {
    expect(parseProxyTrust('')).toBe('none');
    expect(parseProxyTrust(' none ')).toBe('none');
    expect(parseProxyTrust('2')).toEqual({ hops: 2 });
    expect(parseProxyTrust('10.0.0.0/8, ::1')).toEqual({ cidrs: ['10.0.0.0/8', '::1'] });
  });
});

describe('known failure 70: one text for one address', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['1.2.3.4:5678', '1.2.3.4'],
    [' 1.2.3.4 ', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::ffff:102:304', '1.2.3.4'],
    ['::FFFF:0102:0304', '1.2.3.4'],
    ['[::ffff:1.2.3.4]:443', '1.2.3.4'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:db8::1.2.3.4', '2001:db8::102:304'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
  });

  it('keeps mapped addresses apart from their look-alikes', () => {
    expect(canonicalAddress('::1.2.3.4')).not.toBe('1.2.3.4');
  });
});
