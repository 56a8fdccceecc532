import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Logger, problem, ProblemException, problemType } from '@sluice/platform';
import type { FastifyRequest } from 'fastify';
import type { RulesAdminConfig } from '../config.js';
import { CONFIG, LOGGER } from '../tokens.js';
import { ACCESS } from './access.decorator.js';
import { identify } from './acting.js';
import { AdminTokens } from './admin-tokens.js';
import { mayAct, type Role } from './role.js';

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

/**
 * Every route of the API asks for a bearer token (RFC 6750) of a role that it names (R62); each refusal is logged. Probes, metrics and docs are no
 * routes of Nest's.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly tokens: AdminTokens;

  constructor(
    @Inject(CONFIG) config: RulesAdminConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly reflector: Reflector,
  ) {
    this.tokens = new AdminTokens(config.tokens);
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const presented = /^Bearer +([A-Za-z0-9\x21-\x2b\x2d-\x7e]+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const forwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
    const principal = presented === undefined ? undefined : this.tokens.accept(presented, { ip: request.ip, forwarded });
    if (principal === undefined) {
      this.refused(request, { presented: presented !== undefined }, 'request without a valid token');
      throw unauthorized(presented !== undefined);
    }
    identify(principal);
    const asked = this.reflector.get<readonly Role[] | undefined>(ACCESS, context.getHandler()) ?? [];
    if (mayAct(principal.role, asked)) return true;
    this.refused(request, principal, 'request beyond the role of its token');
    throw forbidden(principal.role, asked);
  }

  private refused(request: FastifyRequest, more: object, message: string): void {
    this.logger.warn({ reqId: request.id, ip: request.ip, method: request.method, route: request.routeOptions.url, ...more }, message);
  }
}

/** RFC 6750 section 3: no error code when no token was presented. */
function unauthorized(presented: boolean): ProblemException {
  const detail = presented ? 'The bearer token is not valid here.' : 'Send Authorization: Bearer with an admin token.';
  const challenge = `Bearer realm="sluice-admin"${presented ? ', error="invalid_token"' : ''}`;
  return new ProblemException(problem(401, { type: problemType('unauthorized'), title: 'Unauthorized', detail }), { 'www-authenticate': challenge });
}

function forbidden(held: Role, asked: readonly Role[]): ProblemException {
  const detail = `This takes the role ${asked.join(' or ')}; the token has ${held}. Nothing was changed.`;
  const challenge = 'Bearer realm="sluice-admin", error="insufficient_scope"';
  return new ProblemException(problem(403, { type: problemType('forbidden'), title: 'Forbidden', detail }), { 'www-authenticate': challenge });
}
