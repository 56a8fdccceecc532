import { canonicalAddress, trustedProxies } from '@sluice/middleware';
import { problem, sendProblem } from '@sluice/platform';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { type Asker, askerOf } from './asker.js';
import { bearerTokens } from './bearer-tokens.js';

/** Whether somebody may ask about any caller. HTTP says who by `askerOf(request)`, gRPC by `askerAt(socket, authorization)`. */
export type MayAsk = (asker: Asker) => boolean;

/** Who may. Each of them is enough by itself. */
export interface AccessRules {
  /** Bearer tokens, several while they are exchanged. */
  readonly tokens: readonly string[] | undefined;
  /** Networks that need show nothing, for proxies that cannot: CIDRs or addresses. */
  readonly networks: readonly string[] | undefined;
  /** Whether client certificates are asked for. */
  readonly certificates: boolean;
}

/**
 * Whoever came over the Unix socket may ask, since its file says who opens it; else whoever shows a token or a client certificate, or is in
 * one of the networks. Where none of the three is set: who is on this machine, by the connection's peer. Behind a proxy on this machine
 * everybody is, so that such a setup needs one of them.
 *
 * @throws RangeError for what is no network, or is all of them
 */
export function mayAsk({ tokens, networks, certificates }: AccessRules): MayAsk {
  if (tokens === undefined && networks === undefined && !certificates) return ({ viaSocket, remoteAddress = '' }) => viaSocket || isLoopback(remoteAddress);
  const showsToken = bearerTokens(tokens ?? []);
  const isInNetwork = inNetworks(networks ?? []);
  return ({ viaSocket, certified, authorization, remoteAddress }) =>
    viaSocket || (certificates && certified) || showsToken(authorization) || isInNetwork(remoteAddress);
}

/** An `onRequest` hook that answers 401 to everybody else. */
export function askersOnly(may: MayAsk) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (may(askerOf(request))) done();
    else sendProblem(reply, problem(401, { detail: 'Show a bearer token of this service (SLUICE_DECISION_TOKEN) or a client certificate.' }), { 'WWW-Authenticate': 'Bearer realm="sluice"' });
  };
}

/** Peers are few: what came of an address is remembered, for so many of them. */
const MOST_ADDRESSES = 1_024;

function inNetworks(networks: readonly string[]): (remoteAddress: string | undefined) => boolean {
  if (networks.length === 0) return () => false;
  const compiled = trustedProxies({ cidrs: networks });
  const known = new Map<string, boolean>();
  return (remoteAddress) => {
    if (remoteAddress === undefined) return false;
    let is = known.get(remoteAddress);
    if (is === undefined) {
      const address = canonicalAddress(remoteAddress);
      is = address !== undefined && compiled.trusts(address, 0);
      if (known.size >= MOST_ADDRESSES) known.clear();
      known.set(remoteAddress, is);
    }
    return is;
  };
}

function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1';
}
