import { Inject, Injectable } from '@nestjs/common';
import { bearerToken, isLocalCaller } from '@sluice/platform';
import type { FastifyRequest } from 'fastify';
import { isTokenText } from '../admin-tokens/token-secret.js';
import type { RulesAdminConfig } from '../config.js';
import { CONFIG } from '../tokens.js';
import { cannotTell, tooManyFailures, unauthorized } from './access-problems.js';
import type { Authentication, Denial } from './authentication.js';
import { EnvironmentTokens } from './environment-tokens.js';
import { FailureLimit } from './failure-limit.js';
import { IssuedTokens } from './issued-tokens.js';
import { LastUses } from './last-uses.js';
import { OidcAuthenticator } from './oidc/oidc-authenticator.js';
import { tokenHash } from './token-hash.js';

/**
 * Finds out who a request comes from (R62): by a token of the environment, one that was issued, or a JWT of the OIDC issuer. A valid token passes whatever its address has failed; what looks like one
 * that was issued and is not known here counts as a failure before anything is asked of the database, and one too many is refused without: where another replica issued it just now, for the second until this one looks by itself. Whether a JWT is valid only its
 * signature tells, so that this is verified for whoever asks, from an address that is refused too: some ten thousandths of a second, and nothing is asked of anybody. A token that was good once, or is good elsewhere, is no guess and is not counted.
 */
@Injectable()
export class Authenticator {
  private readonly environment: EnvironmentTokens;

  constructor(
    @Inject(CONFIG) config: RulesAdminConfig,
    private readonly issued: IssuedTokens,
    private readonly oidc: OidcAuthenticator,
    private readonly uses: LastUses,
    private readonly failures: FailureLimit,
  ) {
    this.environment = new EnvironmentTokens(config.tokens);
  }

  /** At once where that is possible: for tokens of the environment and issued ones that are known already. */
  authenticate(request: FastifyRequest): Authentication | Promise<Authentication> {
    const presented = bearerToken(request.headers.authorization);
    if (presented === undefined) return { status: 'denied', reason: 'no_token', answer: unauthorized({ presented: false }) };
    if (presented === 'malformed') return this.fail(request, 'malformed_token');
    const { token } = presented;
    const hash = tokenHash(token);
    const principal = this.environment.accept(hash, { local: isLocalCaller(request) });
    if (principal !== undefined) return { status: 'known', principal };
    if (!isTokenText(token)) return this.byJwt(request, token);
    const hex = hash.toString('hex');
    return this.byHash(hex) ?? this.unheardOf(request, hex);
  }

  /**
   * By the tokens that are known here. While the database is away a node may go on for as long as that takes: all that it can have is the last snapshot. Nobody else can have more, and who
   * may write when it is back has to be known by then.
   */
  private byHash(hash: string): Authentication | undefined {
    const token = this.issued.find(hash);
    if (token === undefined) return undefined;
    const actor = `token:${token.name}`;
    if (token.expired) return { status: 'denied', reason: 'expired_token', answer: unauthorized({ presented: true }), actor };
    if (this.issued.isOutdated && token.role !== 'node') return { status: 'denied', reason: 'unavailable', answer: cannotTell('database'), actor };
    this.uses.note(hash);
    return { status: 'known', principal: { actor, role: token.role, tenantId: token.tenantId, expiresAt: token.expiresAt } };
  }

  /** Nobody's, or another replica issued it just now. */
  private async unheardOf(request: FastifyRequest, hash: string): Promise<Authentication> {
    const failure = await this.failures.count(request.ip);
    if (failure.status === 'refused') return throttled(failure.retryAfterMs);
    const isUpToDate = await this.issued.refresh();
    const known = this.byHash(hash);
    if (known === undefined && isUpToDate) return denied('unknown_token');
    // It was no failure, or nobody knows: with the database away a guess finds out nothing, and gateways that share an address should not lose it to each other.
    failure.takeBack();
    return known ?? { status: 'denied', reason: 'unavailable', answer: cannotTell('database') };
  }

  private async byJwt(request: FastifyRequest, token: string): Promise<Authentication> {
    return (await this.oidc.authenticate(token)) ?? this.fail(request, 'unknown_token');
  }

  private async fail(request: FastifyRequest, reason: 'malformed_token' | 'unknown_token'): Promise<Authentication> {
    const failure = await this.failures.count(request.ip);
    return failure.status === 'refused' ? throttled(failure.retryAfterMs) : denied(reason);
  }
}

function denied(reason: 'malformed_token' | 'unknown_token'): Denial {
  return { status: 'denied', reason, answer: unauthorized({ presented: true }) };
}

function throttled(retryAfterMs: number): Denial {
  return { status: 'denied', reason: 'throttled', answer: tooManyFailures(retryAfterMs) };
}
