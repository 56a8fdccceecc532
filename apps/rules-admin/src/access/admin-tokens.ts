import { createHash, timingSafeEqual } from 'node:crypto';
import type { AdminToken } from '../config.js';
import type { Principal } from './acting.js';

interface StoredToken {
  readonly hash: Buffer;
  readonly loopbackOnly: boolean;
}

/** Where a token was presented from. */
export interface Origin {
  /** The peer's address, as the socket has it. */
  readonly ip: string;
  /** The request says that a proxy brought it, so that the peer is not the caller. */
  readonly forwarded: boolean;
}

/** The tokens that open the API. Kept as hashes and compared in constant time, all of them always. */
export class AdminTokens {
  private readonly tokens: readonly StoredToken[];

  /** @throws Error without a token: an API that nobody can open, or that everybody can, is a mistake */
  constructor(tokens: readonly AdminToken[]) {
    if (tokens.length === 0) throw new Error('rules-admin needs at least one admin token (SLUICE_ADMIN_TOKEN).');
    this.tokens = tokens.map(({ token, loopbackOnly }) => ({ hash: sha256(token), loopbackOnly }));
  }

  /** Who presents the token; undefined for one that is not accepted from there. */
  accept(presented: string, { ip, forwarded }: Origin): Principal | undefined {
    const hash = sha256(presented);
    const local = isLoopback(ip) && !forwarded;
    let accepted = false;
    for (const token of this.tokens) {
      const equal = timingSafeEqual(hash, token.hash);
      accepted = accepted || (equal && (local || !token.loopbackOnly));
    }
    return accepted ? { actor: 'token:environment', role: 'admin' } : undefined;
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(ip);
}
