import { EXPOSED_HEADERS, RATE_LIMIT_FIELDS } from '@sluice/middleware';
import type { IncomingHttpHeaders } from 'node:http';
import { COST_FIELD } from '../limit/settle-cost.js';
import { exposedWith } from './cors.js';

/** What belongs to the connection to the upstream, and what the gateway says itself. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...RATE_LIMIT_FIELDS,
  // draft-6 and older of the same.
  ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  'x-request-id',
  // Between the upstream and us.
  COST_FIELD,
]);

/** As Fastify writes them on the gateway's own answers; a text that is made anew for each answer is dearer. */
const LOWER_CASE: Readonly<Record<string, string>> = Object.fromEntries(EXPOSED_HEADERS.split(', ').map((name) => [name, name.toLowerCase()]));

/**
 * The fields of the upstream's answer as they go to the client. Rate limit fields are ours alone: a client that sees two cannot
 * know which holds, and an upstream's may come out of a cache (known failure 75).
 *
 * @param own our fields of this answer
 */
export function upstreamAnswerHeaders(answer: IncomingHttpHeaders, own: Readonly<Record<string, string>>): IncomingHttpHeaders {
  const named = answer.connection?.toLowerCase().split(/\s*,\s*/);
  const headers: IncomingHttpHeaders = {};
  // By name and not by entries: no array is made of each field.
  for (const name in answer) if (!DROPPED.has(name) && !named?.includes(name)) headers[name] = answer[name];
  let isLimited = false;
  for (const name in own) {
    headers[LOWER_CASE[name] ?? name] = own[name];
    isLimited = true;
  }
  if (isLimited && headers['access-control-allow-origin'] !== undefined) {
    headers['access-control-expose-headers'] = exposedWith(answer['access-control-expose-headers']);
  }
  return headers;
}
