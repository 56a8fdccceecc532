import { BlockList } from 'node:net';

const privateNetworks = new BlockList();
for (const [network, bits] of [['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16]] as const) {
  privateNetworks.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [['::1', 128], ['fc00::', 7], ['fe80::', 10]] as const) privateNetworks.addSubnet(network, bits, 'ipv6');

/** Whether a canonical address is one of a private, shared, link-local or loopback network: as a peer, more likely a proxy than a client. */
export function isPrivateAddress(address: string): boolean {
  return address !== 'unknown' && privateNetworks.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}
