import type { Decision, Reservation } from '@sluice/limiter';
import { type Caller, denialProblem, rateLimitHeaders } from '@sluice/middleware';
import { problem, PROBLEM_MEDIA_TYPE, problemType, REQUEST_ID_HEADER, sendProblem } from '@sluice/platform';
import type { FastifyReply } from 'fastify';

/** What a refusal should be for the client, whatever status the proxy understands. A 5xx that is no decision lacks it: then the service is away. */
export const STATUS = 'Sluice-Status';

/** Passes a request, with what the proxy may hand on to the upstream. */
export function sendAllowed(reply: FastifyReply, decision: Decision | undefined, caller: Caller | undefined, reservation?: Reservation): FastifyReply {
  const headers: Record<string, string> = decision === undefined ? {} : rateLimitHeaders(decision);
  headers['Cache-Control'] = 'no-store';
  if (caller !== undefined) {
    headers['Sluice-Key-Id'] = caller.keyId;
    headers['Sluice-Tenant-Id'] = caller.tenantId;
    headers['Sluice-Plan'] = caller.plan;
  }
  if (reservation?.id !== undefined) {
    headers['Sluice-Decision-Id'] = reservation.id;
    headers['Sluice-Decision-Expires-At'] = new Date(reservation.expiresAtMs).toISOString();
  }
  return reply.code(200).headers(headers).send();
}

/** Answers of a refusal that proxies understand; nginx passes on no other than 401 and 403. */
export type DenyStatus = 401 | 403 | 429;

/** Refuses a request: 429 or 503 in `Sluice-Status` and in the body, and the status that the proxy understands. */
export function sendRefused(reply: FastifyReply, decision: Decision, denyStatus: DenyStatus): FastifyReply {
  const body = denialProblem(decision);
  return refuse(reply, body, body.status, denyStatus, rateLimitHeaders(decision));
}

/** The key directory cannot be asked: refused for a while. */
export function sendUnknowable(reply: FastifyReply, retryAfterMs: number, denyStatus: DenyStatus): FastifyReply {
  const seconds = String(Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  return refuse(reply, problem(503, { detail: 'The API key cannot be looked up at the moment.' }), 503, denyStatus, { 'Retry-After': seconds });
}

/** Nobody the control plane knows. */
export function sendUnauthorized(reply: FastifyReply, slug: 'missing-api-key' | 'invalid-api-key'): FastifyReply {
  const detail = slug === 'missing-api-key' ? 'Name yourself by an API key in the field X-Api-Key.' : 'The API key is not valid.';
  const body = problem(401, { type: problemType(slug), title: 'Unauthorized', detail });
  return sendProblem(reply, body, { 'WWW-Authenticate': 'ApiKey realm="sluice"' });
}

function refuse(reply: FastifyReply, body: object, status: number, denyStatus: number, headers: Readonly<Record<string, string>>): FastifyReply {
  const requestId = reply.request.id;
  return reply
    .code(denyStatus)
    .headers({ ...headers, 'Cache-Control': 'no-store', [REQUEST_ID_HEADER]: requestId, [STATUS]: String(status) })
    .type(PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify({ ...body, request_id: requestId }));
}
