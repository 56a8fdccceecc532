import { normalizeIp } from '@sluice/rules';

export interface IpKeyOptions {
  /** Leading bits of an IPv6 address that are one client, 1 to 128; default 64, and 56 or 48 where providers hand out such networks. */
  readonly v6Prefix?: number;
  /** The same of IPv4, 1 to 32; default 32. */
  readonly v4Prefix?: number;
}

/**
 * A key for whoever is counted by address (R11, known failure 70): IPv4 as it is, also where it is written as IPv6 or comes with a
 * port; IPv6 by subnet. `unknown` for what is no address, so that those share one counter instead of having none.
 *
 * @throws RangeError for a prefix that is out of its range
 */
export function ipKey(address: string | undefined, { v6Prefix = 64, v4Prefix = 32 }: IpKeyOptions = {}): string {
  requirePrefix('v6Prefix', v6Prefix, 128);
  requirePrefix('v4Prefix', v4Prefix, 32);
  return (address === undefined ? undefined : normalizeIp(address.trim(), { v4Prefix, v6Prefix })) ?? 'unknown';
}

function requirePrefix(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most) throw new RangeError(`${name} must be an integer from 1 to ${most}, not ${value}`);
}
