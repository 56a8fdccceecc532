import { Inject, Injectable } from '@nestjs/common';
import { type Logger, type ProblemAnswer, routeLabel } from '@sluice/platform';
import type { FastifyRequest } from 'fastify';
import { LOGGER } from '../tokens.js';
import { AccessMetrics } from './access-metrics.js';
import { forbidden } from './access-problems.js';
import { identify } from './acting.js';
import type { Authentication, Denial } from './authentication.js';
import { Authenticator } from './authenticator.js';
import { mayAct } from './role.js';

/** Lets requests in, or says what they are answered instead; each denial is logged and counted (R62). */
@Injectable()
export class Door {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly metrics: AccessMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Undefined for a request that is let in, which is identified then; at once where that is possible. */
  admit(request: FastifyRequest, asked: readonly string[]): ProblemAnswer | undefined | Promise<ProblemAnswer | undefined> {
    const authentication = this.authenticator.authenticate(request);
    return 'then' in authentication ? authentication.then((known) => this.authorize(request, asked, known)) : this.authorize(request, asked, authentication);
  }

  private authorize(request: FastifyRequest, asked: readonly string[], authentication: Authentication): ProblemAnswer | undefined {
    if (authentication.status === 'denied') return this.deny(request, authentication);
    if (authentication.status === 'known_without_role') return this.deny(request, { status: 'denied', reason: 'no_role', answer: forbidden(undefined, asked), actor: authentication.actor });
    const { principal } = authentication;
    identify(principal);
    if (mayAct(principal.role, asked)) return undefined;
    return this.deny(request, { status: 'denied', reason: 'role', answer: forbidden(principal.role, asked), actor: principal.actor });
  }

  private deny(request: FastifyRequest, { reason, answer, actor }: Denial): ProblemAnswer {
    this.metrics.denials.inc({ reason });
    this.logger.warn({ reqId: request.id, ip: request.ip, method: request.method, route: routeLabel(request.routeOptions.url), reason, actor }, 'request denied');
    return answer;
  }
}
