import { BlockList, isIP } from 'node:net';
import { canonicalAddress } from './ip-address.js';

/** Whose `X-Forwarded-For` entries are believed (R77): so many proxies in front, or these networks, or nobody. */
export type ProxyTrust = { readonly hops: number } | { readonly cidrs: readonly string[] } | 'none';

/** A {@link ProxyTrust} that was checked and compiled, once, at the start. */
export interface TrustedProxies {
  /** Whether the hop at this canonical address, the `index`-th before us (the socket's peer is 0), is one of our own proxies. */
  trusts(address: string, index: number): boolean;
}

/**
 * Compiles the trust setting.
 *
 * @throws RangeError for `true` and everything else that is not hops or networks: believing everybody lets any client choose
 * its address (known failure 71).
 */
export function trustedProxies(trust: ProxyTrust): TrustedProxies {
  if (trust === 'none') return { trusts: () => false };
  if (typeof trust === 'object' && trust !== null && 'hops' in trust) {
    const { hops } = trust;
    if (!Number.isInteger(hops) || hops < 0 || hops > 32) throw new RangeError(`hops must be an integer from 0 to 32, not ${hops}`);
    return { trusts: (_address, index) => index < hops };
  }
  if (typeof trust === 'object' && trust !== null && 'cidrs' in trust) {
    const networks = new BlockList();
    for (const cidr of trust.cidrs) addNetwork(networks, cidr);
    return { trusts: (address) => networks.check(address, address.includes(':') ? 'ipv6' : 'ipv4') };
  }
  throw new RangeError(`trust must be hops, cidrs or 'none'; ${JSON.stringify(trust)} would let clients choose their address`);
}

/**
 * Reads the setting from a configuration value: `none` or empty, a number of hops, or networks and addresses separated by commas.
 *
 * @throws RangeError naming the part that is neither; `true` and `*` are refused.
 */
export function parseProxyTrust(text: string): ProxyTrust {
  const value = text.trim();
  if (value === '' || value === 'none') return 'none';
  if (/^\d+$/.test(value)) return { hops: Number(value) };
  return { cidrs: value.split(',').map((part) => part.trim()) };
}

function addNetwork(networks: BlockList, cidr: string): void {
  const [network = '', bits] = cidr.split('/');
  const address = isIP(network) === 0 ? undefined : canonicalAddress(network);
  const family = address?.includes(':') === true ? 'ipv6' : 'ipv4';
  const widest = family === 'ipv6' ? 128 : 32;
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  // A prefix of 0 is `trust everybody` by another name.
  if (address === undefined || !(prefix >= 1 && prefix <= widest)) throw new RangeError(`not a network that can be trusted: ${JSON.stringify(cidr)}`);
  networks.addSubnet(address, prefix, family);
}
