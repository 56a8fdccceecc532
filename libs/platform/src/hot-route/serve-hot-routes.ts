import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { HealthChecks } from '../health/health-checks.js';
import type { TallyOf } from '../health/http-metrics.js';
import type { Logger } from '../logging/create-logger.js';
import { requestIdOf } from '../logging/request-id.js';
import { routeLabel } from '../logging/route-label.js';
import type { HotRoute } from './hot-route.js';
import { isPlain } from './is-plain.js';
import { type Replay, Replays } from './replay.js';
import { type TextAnswer, writeText } from './write-text.js';

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
  const replays = new Replays();
  replays.watch(fastify, new Set(routes.map(({ url }) => url)));
  // Fastify's, which it gave to the server when it made it.
  const others = server.listeners('request') as RequestListener[];
  const pass = (request: IncomingMessage, response: ServerResponse): void => others.forEach((listener) => void listener.call(server, request, response));
  const byPath = new Map(routes.map((route) => [routeLabel(route.url), route]));

  function replayed(request: IncomingMessage, response: ServerResponse, replay: Replay): void {
    replays.set(request, replay);
    pass(request, response);
  }

  function take(route: HotRoute, request: IncomingMessage, response: ServerResponse): void {
    const startedMs = performance.now();
    const send = (answer: TextAnswer): void => {
      // Who has gone hears nothing, and is not counted by Fastify either.
      if (response.destroyed) return;
      writeText(response, requestIdOf(request), answer, health.isClosing);
      tallyOf('POST', route.url, 200).observe((performance.now() - startedMs) / 1_000);
    };
    const fail = (error: unknown): void => replayed(request, response, { error: error instanceof Error ? error : new Error(String(error)) });
    readBody(request, (body) => {
      try {
        const answer = isUtf8(body) ? route.answer(body.toString('utf8')) : undefined;
        if (answer === undefined) replayed(request, response, { body });
        else if (answer instanceof Promise) answer.then(send, fail);
        else send(answer);
      } catch (error) {
        fail(error);
      }
    });
  }

  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const route = byPath.get(request.url ?? '');
    // At debug every answer is a line of the log, which Fastify's hooks write.
    if (route !== undefined && isPlain(request, route.bodyLimit) && !health.isClosing && !logger.isLevelEnabled('debug') && route.admits(request)) take(route, request, response);
    else pass(request, response);
  });
}

/** Of a client that goes before its body is whole nothing is heard: there is nobody to answer, and node ends the connection. */
function readBody(request: IncomingMessage, whole: (body: Buffer) => void): void {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  request.on('data', (chunk: Buffer) => {
    if (first === undefined) first = chunk;
    else (more ??= [first]).push(chunk);
  });
  request.on('end', () => whole(more === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(more)));
}
