import type { Limiter } from '@sluice/limiter';
import { type Caller, type KeyDirectory, limitsAnswer, type ProxyTrust, trustedProxies } from '@sluice/middleware';
import { invalidRequest, problem, sendProblem } from '@sluice/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { askerOf } from '../access/asker.js';
import type { MayAsk } from '../access/may-ask.js';
import { clientIp } from '../authorize/client-ip.js';
import { parseLimitsQuery } from './limits-query.js';

export interface LimitsRouteOptions {
  readonly limiter: Pick<Limiter, 'peek'>;
  readonly keys: KeyDirectory;
  readonly mayAsk: MayAsk;
  /** Whose X-Forwarded-For is believed (R77). */
  readonly trust: ProxyTrust;
  readonly guards: readonly onRequestHookHandler[];
}

/**
 * `GET /v1/limits` (R71): a caller's own view by `X-Api-Key`, or any caller's for a service, which names it by `key_id`, `plan`,
 * `tenant_id`, `user_id` and `ip` in the query. `endpoint` and `domain` say which requests are meant. Of a caller by `X-Api-Key` the address is
 * that of this request, so that limits counted by `ip` are named too. Reads only.
 */
export function addLimitsRoute(fastify: FastifyInstance, { limiter, keys, mayAsk, trust, guards }: LimitsRouteOptions): void {
  const proxies = trustedProxies(trust);
  fastify.get('/v1/limits', { onRequest: [...guards] }, async (request, reply) => {
    const apiKey = request.headers['x-api-key'];
    if (typeof apiKey !== 'string') {
      if (!mayAsk(askerOf(request))) return unauthorized(reply, 'Name yourself by X-Api-Key, or show the bearer token of this service.');
      return answer(request, reply, undefined);
    }
    const found = await keys.lookup(apiKey);
    if (found.kind === 'known') return answer(request, reply, found.caller);
    if (found.kind === 'unavailable') {
      const seconds = Math.ceil(found.retryAfterMs / 1000);
      return sendProblem(reply, problem(503, { detail: 'The key cannot be looked up at the moment.' }), { 'Retry-After': String(seconds) });
    }
    return unauthorized(reply, 'The API key is not valid.');
  });

  async function answer(request: FastifyRequest, reply: FastifyReply, caller: Caller | undefined): Promise<FastifyReply> {
    const query = parseLimitsQuery(request.query, caller === undefined);
    if (!query.ok) return sendProblem(reply, invalidRequest(query.faults));
    const own = caller === undefined ? {} : { key_id: caller.keyId, tenant_id: caller.tenantId, plan: caller.plan, ip: clientIp(request, proxies) };
    const decision = await limiter.peek({ ...query.attributes, ...own });
    return reply.header('Cache-Control', 'no-store').send(limitsAnswer(decision));
  }
}

function unauthorized(reply: FastifyReply, detail: string): FastifyReply {
  return sendProblem(reply, problem(401, { detail }), { 'WWW-Authenticate': 'ApiKey realm="sluice"' });
}
