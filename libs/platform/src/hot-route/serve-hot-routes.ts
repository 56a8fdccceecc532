import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { HealthChecks } from '../health/health-checks.js';
import type { TallyOf } from '../health/http-metrics.js';
import type { Logger } from '../logging/create-logger.js';
import { requestIdOf } from '../logging/request-id.js';
import { routeLabel } from '../logging/route-label.js';
import { FailedRequests } from './failed-requests.js';
import type { HotRoute } from './hot-route.js';
import { isPlain } from './is-plain.js';
import { WholeMessage } from './whole-message.js';
import { type TextAnswer, writeText } from './write-text.js';

/** For the options of node's servers whose requests may take the short way. */
export const WHOLE_BODIES = { IncomingMessage: WholeMessage } as const;

/** What the hooks of an app that are passed by stand on. */
export interface HotRouteParts {
  readonly health: Pick<HealthChecks, 'isClosing'>;
  readonly logger: Pick<Logger, 'isLevelEnabled'>;
  readonly tallyOf: TallyOf;
}

/** Puts the short ways in front of Fastify's own listener; call it before their routes are registered. */
export function serveHotRoutes(fastify: FastifyInstance, routes: readonly HotRoute[], { health, logger, tallyOf }: HotRouteParts): void {
  if (routes.length === 0) return;
  const { server } = fastify;
  const failed = new FailedRequests();
  failed.watch(fastify, new Set(routes.map(({ url }) => url)));
  // Fastify's, which it gave to the server when it made it.
  const others = server.listeners('request') as RequestListener[];
  const pass = (request: IncomingMessage, response: ServerResponse): void => others.forEach((listener) => void listener.call(server, request, response));
  const byPath = new Map(routes.map((route) => [routeLabel(route.url), route]));

  function take(route: HotRoute, request: WholeMessage, response: ServerResponse): void {
    const startedMs = performance.now();
    const giveBack = (): void => {
      request.giveBackBody();
      pass(request, response);
    };
    const fail = (error: unknown): void => {
      failed.add(request, error);
      giveBack();
    };
    const send = (answer: TextAnswer): void => {
      // Who has gone hears nothing, and is not counted by Fastify either.
      if (response.destroyed) return;
      writeText(response, requestIdOf(request), answer, health.isClosing);
      tallyOf('POST', route.url, 200).observe((performance.now() - startedMs) / 1_000);
    };
    request.takeBody((body) => {
      let answer: ReturnType<HotRoute['answer']>;
      try {
        answer = isUtf8(body) ? route.answer(body.toString('utf8')) : undefined;
      } catch (error) {
        fail(error);
        return;
      }
      if (answer === undefined) giveBack();
      else if (answer instanceof Promise) answer.then(send, fail);
      else send(answer);
    });
  }

  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const route = byPath.get(request.url ?? '');
    // At debug every answer is a line of the log, which Fastify's hooks write.
    const isHot = route !== undefined && request instanceof WholeMessage && isPlain(request, route.bodyLimit) && !health.isClosing && !logger.isLevelEnabled('debug') && route.admits(request);
    if (isHot) take(route, request, response);
    else pass(request, response);
  });
}
