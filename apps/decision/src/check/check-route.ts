import { invalidRequest, sendProblem } from '@sluice/platform';
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { parseCheckRequest } from './check-request.js';
import { CHECK_URL } from './check-url.js';
import { decide, type Decided, type DecideParts } from './decide.js';
import { sendText } from './send-text.js';
import { textAnswerOf } from './text-answer-of.js';

export interface CheckRouteOptions extends DecideParts {
  /** What must hold before a request is read. */
  readonly guards: readonly onRequestHookHandler[];
  /** Whether connections should end with their answer, since the service stops. */
  readonly stopping: () => boolean;
}

/**
 * `POST /v1/ratelimit:check` (R72) as a raw Fastify route, since every request of somebody's API waits for it. 200 for OK and
 * OVER_LIMIT alike: the check itself succeeded, and the answer is in the body. The fields of R70 are there for whoever passes
 * them on. When every permit is at hand there is no promise between request and answer.
 */
export function addCheckRoute(fastify: FastifyInstance, options: CheckRouteOptions): void {
  fastify.post(CHECK_URL, { onRequest: [...options.guards] }, (request, reply): Promise<void> | undefined => {
    const parsed = parseCheckRequest(request.body);
    if (!parsed.ok) {
      sendProblem(reply, invalidRequest(parsed.faults));
      return undefined;
    }
    const decided = decide(options, parsed.request);
    if (decided instanceof Promise) return decided.then((late) => send(reply, late, options));
    send(reply, decided, options);
    return undefined;
  });
}

function send(reply: FastifyReply, decided: Decided, { stopping }: CheckRouteOptions): void {
  sendText(reply, textAnswerOf(decided), stopping());
}
