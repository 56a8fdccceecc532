import type { Decision, Limiter, Reservation } from '@sluice/limiter';
import { type KeyDirectory, type KeyLookup, trustedProxies, type ProxyTrust } from '@sluice/middleware';
import { invalidRequest, type Logger, problem, sendProblem } from '@sluice/platform';
import type { RequestAttributes } from '@sluice/rules';
import type { NodeStream, ObserveDecision } from '@sluice/rules-node';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify';
import { METHODS } from 'node:http';
import { askedRequest } from './asked-request.js';
import { sendAllowed, sendRefused, sendUnauthorized, sendUnknowable, STATUS } from './authorize-answer.js';
import type { AuthorizeQuery } from './authorize-query.js';
import { cachedQueries } from './cached-queries.js';
import { clientIp } from './client-ip.js';
import { heldBack } from './held-back.js';
import { refusedForDelay } from './refused-for-delay.js';

export interface AuthorizeRouteOptions {
  readonly limiter: Pick<Limiter, 'check' | 'reserve' | 'refund' | 'settle'>;
  readonly keys: KeyDirectory;
  readonly observe: ObserveDecision;
  /** Hears of those whom nobody knows (R84). */
  readonly stream: NodeStream | undefined;
  readonly trust: ProxyTrust;
  readonly logger: Pick<Logger, 'warn'>;
  /** What must hold before a request is read: that its sender may ask, above all, since who may ask says what is asked for. */
  readonly guards: readonly onRequestHookHandler[];
}

/**
 * `/v1/authorize` (R74): forward-auth for nginx, Traefik, Caddy and HAProxy, by any method, without a look at the body. The proxy says in fields
 * what is asked for, the key directory who asks by `X-Api-Key`, and the trust setting from where (R77): nothing else that a client can send
 * counts. When every permit is at hand and the key is known there is no promise between request and answer.
 */
export function addAuthorizeRoute(fastify: FastifyInstance, options: AuthorizeRouteOptions): void {
  const { limiter, keys, observe, stream, logger } = options;
  const proxies = trustedProxies(options.trust);
  const queryOf = cachedQueries();
  let warned = false;

  function answer(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    const parsed = queryOf(request.url);
    if (!parsed.ok) return sendProblem(reply, invalidRequest(parsed.faults));
    const { query } = parsed;
    const asked = askedRequest(request.headers, query.fields);
    if (!asked.ok) return sendProblem(reply, problem(400, { detail: asked.detail }));
    if (isPreflight(asked.method, request)) return sendAllowed(reply, undefined, undefined);
    const found = query.keys === 'none' ? undefined : lookUp(request);
    if (found instanceof Promise) return found.then((late) => decide(request, reply, query, asked.endpoint, late));
    return decide(request, reply, query, asked.endpoint, found);
  }

  function lookUp(request: FastifyRequest): KeyLookup | Promise<KeyLookup> | undefined {
    const apiKey = request.headers['x-api-key'];
    return typeof apiKey === 'string' && apiKey !== '' ? keys.lookup(apiKey) : undefined;
  }

  function decide(request: FastifyRequest, reply: FastifyReply, query: AuthorizeQuery, endpoint: string, found: KeyLookup | undefined): FastifyReply | Promise<FastifyReply> {
    if (found === undefined && query.keys === 'required') {
      stream?.noteUnauthenticated('no_credentials', { endpoint, ip: clientIp(request, proxies), domain: query.domain, rule: query.rule });
      return sendUnauthorized(reply, 'missing-api-key');
    }
    if (found?.kind === 'unavailable') return sendUnknowable(reply, found.retryAfterMs, query.denyStatus);
    if (found !== undefined && found.kind !== 'known') {
      stream?.noteUnauthenticated('unknown_credentials', { endpoint, ip: clientIp(request, proxies), domain: query.domain, rule: query.rule });
      // Whether a key is unknown or disabled is nobody's business but its owner's.
      return sendUnauthorized(reply, 'invalid-api-key');
    }
    const caller = found?.caller;
    const attributes: RequestAttributes = {
      endpoint,
      ip: clientIp(request, proxies),
      domain: query.domain,
      rule: query.rule,
      key_id: caller?.keyId,
      tenant_id: caller?.tenantId,
      plan: caller?.plan,
    };
    const startedMs = performance.now();
    const finish = (checked: Decision, reservation?: Reservation): FastifyReply | Promise<FastifyReply> => {
      const isLate = checked.allowed && checked.delayMs > query.maxDelayMs;
      if (isLate) giveBack(checked, reservation);
      const decision = isLate ? refusedForDelay(checked, query.maxDelayMs) : checked;
      observe(decision, (performance.now() - startedMs) / 1000, attributes);
      if (!decision.allowed) return sendRefused(reply, decision, query.denyStatus);
      return heldBack(reply, decision.delayMs, () => sendAllowed(reply, decision, caller, reservation));
    };
    if (query.reserve) return limiter.reserve(attributes, query.cost, { ttlMs: query.reserveTtlMs }).then((reservation) => finish(reservation.decision, reservation));
    const decision = limiter.check(attributes, query.cost);
    return decision instanceof Promise ? decision.then((late) => finish(late)) : finish(decision);
  }

  /** The answer does not wait for it. */
  function giveBack(decision: Decision, reservation: Reservation | undefined): void {
    const given = reservation?.id === undefined ? limiter.refund(decision) : limiter.settle(reservation.id, 0);
    given.catch((error: unknown) => logger.warn({ err: error }, 'what a request that would wait too long was charged did not go back'));
  }

  function warnOnce(request: FastifyRequest): void {
    if (warned || options.trust !== 'none' || request.headers['x-forwarded-for'] === undefined) return;
    warned = true;
    logger.warn('a proxy asks with X-Forwarded-For, and it is not believed: all its clients count as one address. Set SLUICE_TRUSTED_PROXIES.');
  }

  void fastify.register((scope, _options, done) => {
    // Fastify answers to some of the methods that node reads. CONNECT comes to no route.
    for (const method of METHODS) if (!fastify.supportedMethods.includes(method) && method !== 'CONNECT') fastify.addHttpMethod(method);
    // Bodies stay where they are: what they say changes nothing.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    scope.addHook('onSend', sayStatus);
    scope.all('/v1/authorize', { onRequest: [...options.guards, unsayMediaType] }, (request, reply) => {
      warnOnce(request);
      return answer(request, reply);
    });
    done();
  });
}

/** Fastify refuses a media type that is none, and QUERY without one. */
function unsayMediaType({ headers, method }: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (headers['content-type'] !== undefined || method === 'QUERY') headers['content-type'] = 'application/octet-stream';
  done();
}

/** Whoever refused, a guard for example: a proxy that fails open must not take it for a service that is away. */
function sayStatus(_request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: HookHandlerDoneFunction): void {
  if (reply.statusCode >= 400 && reply.statusCode < 500 && !reply.hasHeader(STATUS)) reply.header(STATUS, String(reply.statusCode));
  done();
}

/** What a browser asks before it sends the request proper (Fetch standard, CORS-preflight); it cannot carry a key, and is not counted. */
function isPreflight(method: string, { headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
