import type { Limiter } from '@sluice/limiter';
import { endpointOf, type KeyDirectory, trustedProxies } from '@sluice/middleware';
import { answerClientError, answerFrameworkError, type Logger, OWN_HOST_CHECK, problem, refuseUnclearHttp, type Registry, REQUEST_ID_HEADER, requestIdOf, sendProblem, silentConnections, toProblem } from '@sluice/platform';
import type { NodeStream, ObserveDecision } from '@sluice/rules-node';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayConfig } from '../config/gateway-config.js';
import { limitAddress } from '../edge/limit-address.js';
import { callerIdentity } from '../identity/caller-identity.js';
import { callerPass, coarsePass, passedFields } from '../limit/passes.js';
import { charges, COST_FIELD } from '../limit/settle-cost.js';
import { answerLimits } from '../limits/answer-limits.js';
import { isWebSocketHandshake } from '../websocket/is-websocket-handshake.js';
import { openWebSocket } from '../websocket/open-websocket.js';
import { routeUpgrades } from '../websocket/route-upgrades.js';
import { Tunnels } from '../websocket/tunnels.js';
import { ClientGone, translateClientGone } from './client-gone.js';
import { type Client, clientsBy } from './client-of.js';
import { closeBehindUnread } from './close-behind.js';
import { ownCorsHeaders } from './cors.js';
import { routeExpectations } from './expect-continue.js';
import { forward } from './forward.js';
import { measureProxy } from './measure-proxy.js';
import { refuseFraming } from './refuse-framing.js';
import { refuseOddTarget } from './refuse-odd-target.js';
import { requestLogs } from './request-log.js';
import { Upstream } from './upstream.js';
import { upstreamAnswerHeaders } from './upstream-answer.js';
import { translateUpstreamFault, UpstreamFault } from './upstream-fault.js';
import { upstreamRequestHeaders } from './upstream-request.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it comes from, as far as our own proxies say (R77). */
    client: Client;
    /** Attribute `endpoint`. */
    endpoint: string;
  }
}

export interface ProxyOptions {
  readonly config: Pick<
    GatewayConfig,
    | 'upstreamUrl'
    | 'upstreamTimeoutMs'
    | 'trustedProxies'
    | 'corsOrigins'
    | 'edgeLimit'
    | 'edgeIpv6Prefix'
    | 'edgeDomain'
    | 'upstreamCosts'
    | 'limitsPath'
    | 'wsMessageRule'
    | 'headerTimeoutMs'
    | 'stallTimeoutMs'
  >;
  readonly limiter: Pick<Limiter, 'check' | 'peek' | 'reserve' | 'settle' | 'refund'>;
  readonly keys: KeyDirectory;
  readonly observe: ObserveDecision;
  /** Hears of what nobody's rules decided. */
  readonly stream: NodeStream | undefined;
  /** Whether there are rules to decide by; until then every request is refused with 503, not passed. */
  readonly hasRules: () => boolean;
  /** Whether there are rules of the coarse pass. */
  readonly hasCoarse: () => boolean;
  readonly logger: Logger;
  readonly metrics: Registry;
}

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
/** As long as node reads a request line; routes must not be what limits a path. */
const MAX_PATH_LENGTH = 16_384;
/** A whole request has to arrive within this time, as node has it by default. */
const REQUEST_TIMEOUT_MS = 300_000;
/** Requests in flight may take this long before their connections are cut; what comes after it on a stop takes the rest of the 10 s of R44. */
const DRAIN_MS = 6_500;
/** How often node looks for requests that are late, at most. */
const LOOK_MS = 5_000;

/**
 * The data plane: a bare Fastify that does nothing but identify, limit and send on. A request passes the edge's own limit, rules there, coarse pass, key,
 * pass by caller, in this order, and its body is not read before it may pass. Bodies stream both ways.
 */
export function createProxy(options: ProxyOptions): FastifyInstance {
  const { config, limiter, keys, observe, stream, hasRules, hasCoarse, logger, metrics } = options;
  const loggerInstance: FastifyBaseLogger = logger;
  const clientOf = clientsBy(trustedProxies(config.trustedProxies));
  const countAddress = limitAddress({ limit: config.edgeLimit, ipv6Prefix: config.edgeIpv6Prefix, metrics, stream });
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    childLoggerFactory: requestLogs,
    trustProxy: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Nothing moves either while the upstream takes the time that it may take.
    connectionTimeout: Math.max(config.stallTimeoutMs, config.upstreamTimeoutMs + 1000),
    routerOptions: { maxParamLength: MAX_PATH_LENGTH },
    // No hook sees these; they are counted all the same.
    frameworkErrors: (error, request, reply) => {
      request.client = clientOf(request);
      countAddress(request, reply, () => answerFrameworkError(error, request, reply));
    },
    clientErrorHandler: answerClientError,
    http: {
      ...OWN_HOST_CHECK,
      headersTimeout: config.headerTimeoutMs,
      connectionsCheckingInterval: Math.min(config.headerTimeoutMs, LOOK_MS),
      shouldUpgradeCallback: isWebSocketHandshake,
    },
  });
  const charged = charges(limiter, metrics);
  const tunnels = new Tunnels();
  const passes = { limiter, observe, hasCoarse, domain: config.edgeDomain, reserves: config.upstreamCosts };
  for (const name of ['client', 'endpoint', 'caller', 'coarse', 'decision', 'reservation'] as const) app.decorateRequest(name);
  measureProxy(app, metrics, tunnels);

  app.addHook('onRequest', (request, reply, done) => {
    request.client = clientOf(request);
    reply.header(REQUEST_ID_HEADER, request.id);
    if (config.corsOrigins !== undefined) reply.headers(ownCorsHeaders(request.headers.origin, config.corsOrigins));
    done();
  });
  if (config.edgeLimit !== undefined) app.addHook('onRequest', countAddress);
  refuseUnclearHttp(app);
  routeExpectations(app);
  app.addHook('onRequest', refuseFraming(METHODS));
  app.addHook('onRequest', (request, reply, done) => {
    request.endpoint = endpointOf(request.method, request.url);
    if (hasRules()) done();
    else sendProblem(reply, problem(503, { detail: 'The rules are not loaded yet; try again.' }), { 'Retry-After': '1' });
  });
  app.addHook('onRequest', refuseOddTarget);
  app.addHook('onRequest', coarsePass(passes));
  app.addHook('onRequest', callerIdentity(keys, stream));
  if (config.limitsPath !== undefined) app.addHook('onRequest', answerLimits(config.limitsPath, limiter));
  app.addHook('onRequest', callerPass(passes));
  const upstream = new Upstream({ url: config.upstreamUrl, timeoutMs: config.upstreamTimeoutMs, stallTimeoutMs: config.stallTimeoutMs });
  const { upstreamUrl, upstreamTimeoutMs, stallTimeoutMs, wsMessageRule: messageRule } = config;
  const headersOf = ({ id: requestId, method, headers, host, caller, client }: FastifyRequest): IncomingHttpHeaders =>
    upstreamRequestHeaders({ method, headers, caller, requestId, host, ...client });
  const answerHeadersOf = (request: FastifyRequest, answer: IncomingHttpHeaders): IncomingHttpHeaders => {
    charged.settle(request, answer[COST_FIELD]);
    return upstreamAnswerHeaders(answer, passedFields(request));
  };
  const ways = { headersOf, answerHeadersOf, failed: fail };
  app.addHook('onRequest', openWebSocket({ ...ways, upstreamUrl, upstreamTimeoutMs, stallTimeoutMs, messageRule, limiter, observe, tunnels, pathOf: (target) => upstream.pathOf(target) }));
  let closing = false;
  app.addHook('onRequest', forward({ ...ways, upstream, timeoutMs: upstreamTimeoutMs, isClosing: () => closing }));
  const upgrades = routeUpgrades(app);
  const silent = silentConnections(app.server);
  app.addHook('preClose', (done) => {
    closing = true;
    silent.cut();
    void tunnels.close();
    const timer = setTimeout(() => {
      app.server.closeAllConnections();
      upgrades.cut();
    }, DRAIN_MS);
    app.server.once('close', () => clearTimeout(timer));
    done();
  });
  // A kept-alive connection whose last answer says nothing would hold up the stop until it idles out (R44).
  app.addHook('onSend', (request, reply, _payload, done) => {
    closeBehindUnread(request, reply);
    if (closing) reply.header('connection', 'close');
    // Of what the gateway answers itself; a refusal has its own.
    reply.headers(passedFields(request));
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
  // Hooks do it all; a route is there for the methods.
  app.route({ method: METHODS, url: '*', handler: (_request, reply) => void reply.callNotFound() });
  app.addHook('onClose', () => upstream.close());

  function fail(request: FastifyRequest, reply: FastifyReply, error: Error, reached: boolean): void {
    if (ClientGone.isCauseOf(error)) return void reply.send(new ClientGone());
    // What the upstream may have worked on has been used, however it ended.
    if (!reached) charged.giveBack(request);
    reply.send(UpstreamFault.of(error));
  }
  return app;
}
