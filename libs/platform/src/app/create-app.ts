import type { TlsOptions } from 'node:tls';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DynamicModule, Type } from '@nestjs/common';
import { type FastifyInstance, LogController } from 'fastify';
import type { Registry } from 'prom-client';
import type { HealthChecks } from '../health/health-checks.js';
import { measureRequests } from '../health/http-metrics.js';
import { addOperationsRoutes } from '../health/operations-routes.js';
import type { HotRoute } from '../hot-route/hot-route.js';
import { serveHotRoutes, WHOLE_BODIES } from '../hot-route/serve-hot-routes.js';
import type { Logger } from '../logging/create-logger.js';
import { NestLogger } from '../logging/nest-logger.js';
import { requestIdOf } from '../logging/request-id.js';
import { logRequests } from '../logging/request-log.js';
import { forRequests } from '../logging/request-logger.js';
import { answerError } from '../problem/answer-error.js';
import { ProblemFilter } from '../problem/problem-filter.js';
import { RouteTable } from '../problem/route-table.js';
import { StrictValidationPipe } from '../problem/strict-validation-pipe.js';
import type { ProblemTranslator } from '../problem/to-problem.js';
import { answerClientError, answerFrameworkError } from './framework-errors.js';
import { guardRequests } from './guard-requests.js';
import { PlatformAdapter } from './platform-adapter.js';
import { OWN_HOST_CHECK, refuseUnclearHttp } from './refuse-unclear-http.js';
import { silentConnections } from './silent-connections.js';

/** What an app is made with. */
export interface AppOptions {
  readonly logger: Logger;
  readonly health: HealthChecks;
  readonly metrics: Registry;
  /** Largest body in bytes; more is 413. Default 65,536. */
  readonly bodyLimit?: number;
  /** A whole request, body included, has to arrive within this time, else it is cut with 408. Default 30,000 ms: bodies are small. */
  readonly requestTimeoutMs?: number;
  /** The port speaks TLS by these; absent: plain HTTP. */
  readonly tls?: TlsOptions | undefined;
  /** Answer of `/metrics` where it is more than {@link metrics} has: that of all processes, say. */
  readonly exposition?: (() => Promise<string>) | undefined;
  /** Turn the app's own errors into problems. */
  readonly translators?: readonly ProblemTranslator[];
  /** Raw Fastify routes and plugins, for what is too hot for Nest; called before Nest adds its own. */
  readonly routes?: (fastify: FastifyInstance) => void;
  /** Short ways to some of {@link routes} for requests of which nothing is wrong. */
  readonly hotRoutes?: readonly HotRoute[];
}

const REQUEST_TIMEOUT_MS = 30_000;
/** How often node looks for requests that are late, at most. */
const LOOK_MS = 5_000;

/**
 * A Nest application on Fastify as every app of Sluice has it: JSON bodies only, strict validation, every error as problem+json,
 * request ids, `/healthz`, `/readyz` and `/metrics`. The peer's address is the socket's: who wants to believe `X-Forwarded-For` does so
 * by configured hops (R77). The app neither listens nor handles signals yet: see `stopOnSignal`.
 */
export async function createApp(module: Type | DynamicModule, options: AppOptions): Promise<NestFastifyApplication> {
  const { logger, health, metrics } = options;
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const hotRoutes = options.hotRoutes ?? [];
  const http = { ...OWN_HOST_CHECK, ...(hotRoutes.length > 0 && WHOLE_BODIES), headersTimeout: requestTimeout, connectionsCheckingInterval: Math.min(requestTimeout, LOOK_MS) };
  const adapter = new PlatformAdapter({
    loggerInstance: forRequests(logger),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyLimit ?? 65_536,
    trustProxy: false,
    genReqId: requestIdOf,
    // Fastify's own answer while closing is not problem+json; guardRequests has one.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
    requestTimeout,
    ...(options.tls === undefined ? { http } : { https: { ...http, ...options.tls } }),
  });
  const fastify: FastifyInstance = adapter.getInstance();
  fastify.setErrorHandler((error, _request, reply) => answerError(error, reply, options.translators ?? []));
  const routes = new RouteTable();
  routes.watch(fastify);
  logRequests(fastify, logger);
  refuseUnclearHttp(fastify);
  const tallyOf = measureRequests(fastify, metrics);
  guardRequests(fastify, { health, routes });
  addOperationsRoutes(fastify, { health, metrics, exposition: options.exposition });
  serveHotRoutes(fastify, hotRoutes, { health, logger, tallyOf });
  const silent = silentConnections(fastify.server);
  fastify.addHook('preClose', (done) => {
    silent.cut();
    done();
  });
  options.routes?.(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    // Fastify's own JSON parser serves; Nest would add one for forms.
    bodyParser: false,
    // Nest would abort the process, and with it every other app in it.
    abortOnError: false,
  });
  app.useGlobalPipes(new StrictValidationPipe());
  app.useGlobalFilters(new ProblemFilter(options.translators));
  return app;
}
