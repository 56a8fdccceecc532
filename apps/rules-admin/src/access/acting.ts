import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import type { Role } from './role.js';

/** Who called, once that is known. */
export interface Principal {
  /** `token:NAME`, `oidc:SUBJECT` or `system:NAME`; what the audit has (R60). */
  readonly actor: string;
  readonly role: Role;
  /** Of the role `tenant`: whose. */
  readonly tenantId?: string | null;
  /** When the token is not good any more; absent or null for one that is for good. */
  readonly expiresAt?: Date | null;
}

/** In whose name something is done. */
export interface Acting {
  readonly actor: string;
  readonly requestId: string | null;
}

interface Scope {
  principal: Principal | undefined;
  readonly requestId: string | null;
}

const scopes = new AsyncLocalStorage<Scope>();

/** In whose name the code that asks runs: of the request's caller, or of a part of the system. */
export function currentActing(): Acting {
  const scope = scopes.getStore();
  return { actor: scope?.principal?.actor ?? 'system:rules-admin', requestId: scope?.requestId ?? null };
}

/** Who the request at hand comes from; undefined before it was authenticated, and outside of requests. */
export function currentPrincipal(): Principal | undefined {
  return scopes.getStore()?.principal;
}

/** Runs a part of the system under its own name, such as `system:seed`. */
export function actAs<T>(actor: `system:${string}`, work: () => Promise<T>): Promise<T> {
  return scopes.run({ principal: { actor, role: 'admin' }, requestId: null }, work);
}

/** What the guard found out about the request at hand. */
export function identify(principal: Principal): void {
  const scope = scopes.getStore();
  if (scope !== undefined) scope.principal = principal;
}

/** Opens a scope around each request, for all that runs on its behalf. */
export function scopeRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    scopes.run({ principal: undefined, requestId: request.id }, done);
  });
}
