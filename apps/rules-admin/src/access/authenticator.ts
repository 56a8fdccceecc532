import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RulesAdminConfig } from '../config.js';
import { CONFIG } from '../tokens.js';
import { unauthorized } from './access-problems.js';
import { AdminTokens } from './admin-tokens.js';
import type { Authentication } from './authentication.js';
import { bearerToken } from './bearer-token.js';
import { isForwarded } from './is-forwarded.js';

/** Finds out who a request comes from (R62). */
@Injectable()
export class Authenticator {
  private readonly tokens: AdminTokens;

  constructor(@Inject(CONFIG) config: RulesAdminConfig) {
    this.tokens = new AdminTokens(config.tokens);
  }

  /** At once where that is possible: for the tokens of the environment and those that are known already. */
  authenticate(request: FastifyRequest): Authentication | Promise<Authentication> {
    const presented = bearerToken(request.headers.authorization);
    if (presented === undefined) return { status: 'denied', reason: 'no_token', answer: unauthorized({ presented: false }) };
    if (presented === 'malformed') return { status: 'denied', reason: 'malformed_token', answer: unauthorized({ presented: true }) };
    const principal = this.tokens.accept(presented.token, { ip: request.ip, forwarded: isForwarded(request) });
    if (principal === undefined) return { status: 'denied', reason: 'unknown_token', answer: unauthorized({ presented: true }) };
    return { status: 'known', principal };
  }
}
