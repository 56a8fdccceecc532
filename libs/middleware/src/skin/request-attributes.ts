import { isIP } from 'node:net';
import type { RequestAttributes } from '@sluice/rules';
import { clientAddress } from '../client-address.js';
import type { RateLimitOptions } from '../skin-options.js';
import { trustedProxies, type TrustedProxies } from '../trusted-proxies.js';
import { isPrivateAddress } from './private-address.js';
import { isUnixPeer, LOOPBACK, peerAddress } from './peer-address.js';
import type { PathReading } from './routed-path.js';
import type { RawRequest, SkinAdapter } from './skin-adapter.js';
import type { Warnings } from './warnings.js';

/** What is known of a request: the same for all skins, so that one rule set serves all of them. */
export type AttributesOf<R> = (request: R, raw: RawRequest) => RequestAttributes;

/** @throws RangeError for a trust setting that is none */
export function requestAttributes<R>(options: RateLimitOptions<R>, adapter: Pick<SkinAdapter<R, never>, 'endpoint'>, warnings: Warnings): AttributesOf<R> {
  const { rule, key, attributes, trustedProxies: trust = 'none', caseSensitiveRoutes: caseSensitive } = options;
  const reading: PathReading = { caseSensitive, onFold: () => warnings.tell('SLUICE_PATH_IN_LOWER_CASE') };
  const proxies = trustedProxies(trust);
  const ipOf = trust === 'none' ? (raw: RawRequest): string => directAddress(raw, warnings) : (raw: RawRequest): string => addressBehind(raw, proxies, warnings);

  function attributesOf(request: R, raw: RawRequest): RequestAttributes {
    const keyId = key?.(request);
    if (keyId !== undefined && keyId.includes(':')) warnOfRawIpv6(keyId, warnings);
    return { endpoint: adapter.endpoint(request, reading), ip: ipOf(raw), rule, key_id: keyId };
  }
  if (attributes === undefined) return attributesOf;
  return (request, raw) => ({ ...attributesOf(request, raw), ...attributes(request) });
}

function directAddress(raw: RawRequest, warnings: Warnings): string {
  const peer = peerAddress(raw.socket);
  if (raw.headers['x-forwarded-for'] === undefined) warnOfOneAddress(peer, raw, warnings);
  else if (!warnings.has('SLUICE_UNTRUSTED_FORWARDED_FOR') && isPrivateAddress(peer)) warnings.tell('SLUICE_UNTRUSTED_FORWARDED_FOR');
  return peer;
}

function addressBehind(raw: RawRequest, proxies: TrustedProxies, warnings: Warnings): string {
  const peer = peerAddress(raw.socket);
  const forwarded = raw.headers['x-forwarded-for'];
  const client = forwarded === undefined ? peer : clientAddress(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies);
  warnOfOneAddress(client, raw, warnings);
  return client;
}

function warnOfOneAddress(address: string, { socket }: RawRequest, warnings: Warnings): void {
  if (address === LOOPBACK && socket.remoteAddress === undefined && !warnings.has('SLUICE_ONE_ADDRESS') && isUnixPeer(socket)) warnings.tell('SLUICE_ONE_ADDRESS');
}

function warnOfRawIpv6(key: string, warnings: Warnings): void {
  if (!warnings.has('SLUICE_KEY_IS_RAW_IPV6') && isIP(key) === 6) warnings.tell('SLUICE_KEY_IS_RAW_IPV6');
}
