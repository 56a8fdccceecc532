import httpProxy from '@fastify/http-proxy';
import type { Limiter } from '@sluice/limiter';
import { decisionOf, endpointOf, type KeyDirectory, trustedProxies } from '@sluice/middleware';
import { fastifyRateLimit } from '@sluice/middleware/fastify';
import {
  answerClientError,
  answerFrameworkError,
  type Logger,
  OWN_HOST_CHECK,
  problem,
  refuseUnclearHttp,
  type Registry,
  REQUEST_ID_HEADER,
  requestIdOf,
  sendProblem,
  toProblem,
} from '@sluice/platform';
import type { ObserveDecision } from '@sluice/rules-node';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { GatewayConfig } from '../config/gateway-config.js';
import { callerIdentity } from '../identity/caller-identity.js';
import { ClientGone, translateClientGone } from './client-gone.js';
import { clientOf } from './client-of.js';
import { ownCorsHeaders } from './cors.js';
import { measureProxy } from './measure-proxy.js';
import { refuseOddTarget } from './refuse-odd-target.js';
import { upstreamAnswerHeaders } from './upstream-answer.js';
import { translateUpstreamFault, UpstreamFault } from './upstream-fault.js';
import { upstreamRequestHeaders } from './upstream-request.js';

export interface ProxyOptions {
  readonly config: Pick<GatewayConfig, 'upstreamUrl' | 'upstreamTimeoutMs' | 'trustedProxies' | 'corsOrigins'>;
  readonly limiter: Pick<Limiter, 'check'>;
  readonly keys: KeyDirectory;
  readonly observe: ObserveDecision;
  /** Whether there are rules to decide by; until then every request is refused with 503, not passed. */
  readonly hasRules: () => boolean;
  readonly logger: Logger;
  readonly metrics: Registry;
}

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
/** As long as node reads a request line; routes must not be what limits a path. */
const MAX_PATH_LENGTH = 16_384;
/** A whole request has to arrive within this time, as node has it by default. */
const REQUEST_TIMEOUT_MS = 300_000;

/**
 * The data plane: a bare Fastify that does nothing but identify, limit and send on. A request passes rules, key, limit, in this
 * order, and its body is not read before it may pass. Bodies stream both ways.
 */
export function createProxy(options: ProxyOptions): FastifyInstance {
  const { config, limiter, keys, observe, hasRules, logger, metrics } = options;
  const proxies = trustedProxies(config.trustedProxies);
  const loggerInstance: FastifyBaseLogger = logger;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    trustProxy: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PATH_LENGTH },
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
    http: OWN_HOST_CHECK,
  });
  app.decorateRequest('caller', undefined);
  measureProxy(app, metrics);
  refuseUnclearHttp(app);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    if (config.corsOrigins !== undefined) reply.headers(ownCorsHeaders(request.headers.origin, config.corsOrigins));
    if (hasRules()) done();
    else sendProblem(reply, problem(503, { detail: 'The rules are not loaded yet; try again.' }), { 'Retry-After': '1' });
  });
  app.addHook('onRequest', refuseOddTarget);
  app.addHook('onRequest', callerIdentity(keys));
  app.addHook('onRequest', fastifyRateLimit({ limiter, observe, attributes: attributesOf }));
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  // A kept-alive connection whose last answer says nothing would hold up the stop until it idles out (R44).
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
  app.setNotFoundHandler((_request, reply) => {
    sendProblem(reply, problem(405, { detail: `The gateway knows ${METHODS.join(', ')}.` }), { Allow: METHODS.join(', ') });
  });
  app.setErrorHandler((error, request, reply) => {
    const { problem: body, headers } = toProblem(error, [translateUpstreamFault, translateClientGone]);
    if (body.status >= 500) request.log.error({ err: error }, 'request failed');
    else if (error instanceof ClientGone) logger.debug({ reqId: request.id }, error.message);
    return sendProblem(reply, body, headers);
  });
  app.register(httpProxy, {
    upstream: config.upstreamUrl,
    httpMethods: METHODS,
    disableRequestLogging: true,
    // The library warns of each failed trip, with a stack; the error handler says it once, and as what it is.
    logLevel: logger.isLevelEnabled('error') ? 'error' : 'silent',
    // Closing the gateway closes its connections to the upstream.
    destroyAgent: true,
    undici: { headersTimeout: config.upstreamTimeoutMs, connect: { timeout: Math.min(config.upstreamTimeoutMs, 5000) } },
    replyOptions: {
      // The library would send a GET again up to ten times on a 503: the upstream asked for less load, and each try is one request.
      retryDelay: () => null,
      rewriteRequestHeaders: (request, headers) => {
        const { id: requestId, method, host, caller } = request;
        return upstreamRequestHeaders({ method, headers, caller, requestId, host, ...clientOf(request, proxies) });
      },
      rewriteHeaders: (headers, request) => upstreamAnswerHeaders(headers, request !== undefined && decisionOf(request.raw) !== undefined),
      onError: (reply, { error }) => void reply.send(ClientGone.isCauseOf(error) ? new ClientGone() : UpstreamFault.of(error)),
    },
  });

  function attributesOf(request: FastifyRequest) {
    const { caller } = request;
    return {
      endpoint: endpointOf(request.method, request.url),
      ip: clientOf(request, proxies).address,
      key_id: caller?.keyId,
      tenant_id: caller?.tenantId,
      plan: caller?.plan,
    };
  }
  return app;
}
