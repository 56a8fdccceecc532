import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import { type JWTPayload, jwtVerify } from 'jose';
import type { RulesAdminConfig } from '../../config.js';
import { CONFIG, LOGGER } from '../../tokens.js';
import { cannotTell, unauthorized } from '../access-problems.js';
import type { Authentication } from '../authentication.js';
import { claimedRole } from './claimed-role.js';
import { IssuerAway, IssuerKeys } from './issuer-keys.js';
import type { OidcConfig } from './oidc-config.js';

/** Signatures that only the issuer can make. None of them takes a secret: a public key taken for one would sign anything. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

/** Access tokens (RFC 9068 section 2.1), and what those issuers say that have no word for it. Not logout tokens, DPoP proofs and the like, which the same key signs. */
const TYPES = /^(?:application\/)?(?:at\+)?jwt$/i;

const CLOCK_TOLERANCE_SECONDS = 30;

/** Three parts of base64url; all else is no JWT. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

interface Verifier {
  readonly config: OidcConfig;
  readonly keys: IssuerKeys;
}

/** Knows people by JWTs of the configured OIDC issuer (RFC 7519, RFC 8725). */
@Injectable()
export class OidcAuthenticator {
  private readonly verifier: Verifier | undefined;

  constructor(
    @Inject(CONFIG) { oidc }: RulesAdminConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.verifier = oidc && { config: oidc, keys: new IssuerKeys(oidc, logger, oidc.keyCooldownMs) };
  }

  /** Undefined for what is no JWT of the issuer's, whatever it says. */
  async authenticate(token: string): Promise<Authentication | undefined> {
    if (this.verifier === undefined || !JWT.test(token)) return undefined;
    const { config, keys } = this.verifier;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, (header, input) => keys.keyFor(header, input), {
        algorithms: ALGORITHMS,
        issuer: config.issuer,
        audience: [...config.audiences],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return this.judge(payload, protectedHeader.typ, config);
    } catch (error) {
      if (error instanceof IssuerAway) return { status: 'denied', reason: 'unavailable', answer: cannotTell('issuer') };
      // jose looks at claims after the signature: these two the issuer did sign.
      if (codeOf(error) === 'ERR_JWT_EXPIRED') return { status: 'denied', reason: 'expired_token', answer: unauthorized({ presented: true }) };
      if (codeOf(error) === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return this.unfit(error);
      this.logger.debug({ err: error }, 'JWT refused');
      return undefined;
    }
  }

  private judge(payload: JWTPayload, type: string | undefined, { roleClaim = 'roles', roleMap }: OidcConfig): Authentication {
    const { sub, iat, exp } = payload;
    if (type !== undefined && !TYPES.test(type)) return this.unfit(`typ is ${type}`);
    if (iat === undefined || iat > Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS) return this.unfit('iat is in the future');
    // It becomes the actor of the log, which stores text.
    if (sub === undefined || !/^[^\p{Cc}\p{Surrogate}]{1,255}$/u.test(sub)) return this.unfit('sub is no plain text of 1 to 255 characters');
    const actor = `oidc:${sub}`;
    const expiresAt = expiryOf(exp);
    const role = claimedRole(payload, roleClaim, roleMap);
    return role === undefined ? { status: 'known_without_role', actor } : { status: 'known', principal: { actor, role, expiresAt } };
  }

  private unfit(why: unknown): Authentication {
    this.logger.debug({ why }, 'JWT of the issuer refused');
    return { status: 'denied', reason: 'unfit_token', answer: unauthorized({ presented: true }) };
  }
}

/** Null where it is beyond what a date can be, which is as good as never. */
function expiryOf(exp: number | undefined): Date | null {
  const expiresAt = new Date((exp ?? Infinity) * 1_000);
  return Number.isNaN(expiresAt.getTime()) ? null : expiresAt;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
