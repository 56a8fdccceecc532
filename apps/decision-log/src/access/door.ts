import { Inject, Injectable } from '@nestjs/common';
import { bearerToken, isLocalCaller, type Logger, type ProblemAnswer, type Registry, routeLabel } from '@sluice/platform';
import type { FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { LOGGER, METRICS } from '../tokens.js';
import { cannotTell, forbidden, readsOnly, tooManyGuesses, unauthorized } from './access-problems.js';
import { type Authentication, Authenticator } from './authenticator.js';
import { mayAsk } from './caller-role.js';
import { noteCaller } from './caller-of.js';
import { DENIAL_REASONS, type DenialReason } from './denial-reason.js';

/** What serves from what was known lately, while the control plane is away. */
const READS = new Set(['GET', 'HEAD']);

/** Lets requests in, or says what they are answered instead; each denial is logged and counted, and no token ever is (R62). */
@Injectable()
export class Door {
  private readonly denials: Counter<'reason'>;

  constructor(
    private readonly authenticator: Authenticator,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.denials = new Counter({ name: 'sluice_access_denials_total', help: 'Requests that were not let in.', labelNames: ['reason'], registers: [registry] });
    // From zero, so that the first one is a rise.
    for (const reason of DENIAL_REASONS) this.denials.inc({ reason }, 0);
  }

  /** Undefined for a request that is let in, of which `callerOf` says who asks; at once where that is possible. */
  admit(request: FastifyRequest, asked: readonly string[]): ProblemAnswer | undefined | Promise<ProblemAnswer | undefined> {
    const presented = bearerToken(request.headers.authorization);
    if (presented === undefined) return this.deny(request, 'no_token', unauthorized({ presented: false }));
    if (presented === 'malformed') return this.deny(request, 'malformed_token', unauthorized({ presented: true }));
    const authentication = this.authenticator.authenticate(presented.token, { ip: request.ip, local: isLocalCaller(request) }, READS.has(request.method));
    return 'then' in authentication ? authentication.then((late) => this.authorize(request, asked, late)) : this.authorize(request, asked, authentication);
  }

  private authorize(request: FastifyRequest, asked: readonly string[], authentication: Authentication): ProblemAnswer | undefined {
    switch (authentication.status) {
      case 'unknown':
        return this.deny(request, 'unknown_token', unauthorized({ presented: true }));
      case 'no_role':
        return this.deny(request, 'no_role', forbidden(undefined, asked), authentication.actor);
      case 'throttled':
        return this.deny(request, 'throttled', tooManyGuesses(authentication.retryAfterMs));
      case 'unavailable':
        return this.deny(request, 'unavailable', cannotTell());
      case 'known':
        break;
    }
    const { caller, isStale } = authentication;
    if (!mayAsk(caller.role, asked)) return this.deny(request, 'role', forbidden(caller.role, asked), caller.actor);
    if (isStale && !READS.has(request.method)) return this.deny(request, 'unavailable', readsOnly(), caller.actor);
    noteCaller(request, caller);
    return undefined;
  }

  private deny(request: FastifyRequest, reason: DenialReason, answer: ProblemAnswer, actor?: string): ProblemAnswer {
    this.denials.inc({ reason });
    this.logger.warn({ reqId: request.id, ip: request.ip, method: request.method, route: routeLabel(request.routeOptions.url), reason, actor }, 'request denied');
    return answer;
  }
}
