import { timingSafeEqual } from 'node:crypto';
import type { AdminToken } from '../config.js';
import type { Principal } from './acting.js';
import type { RoleAlone } from './role.js';
import { tokenHash } from './token-hash.js';

interface StoredToken {
  readonly hash: Buffer;
  readonly role: RoleAlone;
  readonly loopbackOnly: boolean;
}

/** Where a token was presented from. */
export interface Origin {
  /** From this machine. */
  readonly local: boolean;
}

/** No issued token may have this name: its deeds would look like those of the environment's. */
export const ENVIRONMENT_NAME = 'environment';

/** The tokens of the environment: they open whatever becomes of the database and of the issued ones. Kept as hashes and compared in constant time, all of them always. */
export class EnvironmentTokens {
  private readonly tokens: readonly StoredToken[];

  /** @throws Error without one that is an admin's: an API that nobody can open, or that everybody can, is a mistake */
  constructor(tokens: readonly AdminToken[]) {
    this.tokens = tokens.map(({ token, role = 'admin', loopbackOnly }) => ({ hash: tokenHash(token), role, loopbackOnly }));
    if (!this.tokens.some(({ role }) => role === 'admin')) throw new Error('rules-admin needs at least one admin token (SLUICE_ADMIN_TOKEN).');
  }

  /** Who presents the token with this hash; undefined for one that is not accepted from there. */
  accept(hash: Buffer, { local }: Origin): Principal | undefined {
    let role: RoleAlone | undefined;
    for (const token of this.tokens) {
      const equal = timingSafeEqual(hash, token.hash);
      if (equal && (local || !token.loopbackOnly)) role = token.role;
    }
    return role === undefined ? undefined : { actor: `token:${ENVIRONMENT_NAME}`, role };
  }
}
