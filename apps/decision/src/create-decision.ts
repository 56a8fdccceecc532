import { setTimeout as sleep } from 'node:timers/promises';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { Clock, CounterStore } from '@sluice/limiter';
import { closeGracefully, createApp, createMetrics, type EventBus, HealthChecks, listenFault, type Logger, measureBus, serveOpenApi } from '@sluice/platform';
import { ConfigChangesModule, createRulesNode, PushServer, type StreamParts } from '@sluice/rules-node';
import { mayAsk } from './access/may-ask.js';
import { rulesLoaded } from './access/rules-loaded.js';
import { serveEdges } from './access/serve-edges.js';
import { readTls, tlsFilesOf } from './access/tls-files.js';
import { addRoutes } from './add-routes.js';
import { hotCheck } from './check/hot-check.js';
import type { DecisionConfig } from './config/decision-config.js';
import { serveGrpc } from './grpc/serve-grpc.js';
import { DECISION_DOCUMENT } from './openapi/decision-document.js';
import { joinSiblings } from './processes/siblings.js';

/** What the service runs on. Store and bus stay the caller's to close. */
export interface DecisionParts {
  readonly config: DecisionConfig;
  readonly store: CounterStore;
  readonly bus: EventBus;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Where to send what is decided (R80); absent: nowhere. */
  readonly stream?: StreamParts | undefined;
  /** Event loop and heap as metrics; wanted once a process. Default false. */
  readonly processMetrics?: boolean;
}

/** A running service. */
export interface RunningDecision {
  readonly url: string;
  /** Where gRPC is served. */
  readonly grpcPort: number;
  /** Resolves when there are rules to decide by; until then it answers 503. */
  readonly ready: Promise<void>;
  /** Stops taking requests, returns leases (R44). */
  close(): Promise<void>;
}

/** Requests in flight may take this long before their connections are cut; leases that go back and events that are sent take the rest of the 10 s of R44. */
const DRAIN_MS = 6_000;
/** Longer a process of several does not wait for its first rules: its probes are to be answered. */
const FIRST_RULES_MS = 3_000;

/** Starts the decision service: one node with HTTP in front. */
export async function createDecision(parts: DecisionParts): Promise<RunningDecision> {
  const { config, bus, logger } = parts;
  const tls = tlsFilesOf(config);
  const health = new HealthChecks();
  const metrics = createMetrics({ app: 'decision', process: parts.processMetrics ?? false });
  const node = createRulesNode({ ...parts, app: 'decision', health, metrics, keepsKeys: true });
  measureBus(bus, metrics);
  const siblings = joinSiblings({ metrics, health });
  const asker = mayAsk({ tokens: config.tokens, networks: config.askers, certificates: tls?.clientCa !== undefined });
  const loaded = rulesLoaded(node.hasRules);
  const app = await createApp(ConfigChangesModule.register(node.snapshots), {
    logger,
    health,
    metrics,
    exposition: siblings?.exposition,
    tls: tls && { ...readTls(tls), requestCert: tls.clientCa !== undefined, rejectUnauthorized: false },
    hotRoutes: [hotCheck({ ...node, mayAsk: asker })],
    routes: (fastify) => addRoutes(fastify, { ...node, mayAsk: asker, loaded, stopping: () => health.isClosing, trust: config.ownTrustedProxies ?? config.trustedProxies, logger }),
  });
  serveOpenApi(app, () => DECISION_DOCUMENT);
  app.connectMicroservice<MicroserviceOptions>({ strategy: new PushServer(bus) });
  const ready = node.start();
  // The siblings serve on meanwhile: what came to this one would get 503.
  if (siblings !== undefined) await Promise.race([ready, sleep(FIRST_RULES_MS, undefined, { ref: false })]);
  await app.listen(config.port, config.host).catch(async (error: unknown) => {
    await Promise.all([app.close(), node.close()]);
    throw listenFault({ variable: 'SLUICE_DECISION_PORT', host: config.host, port: config.port }, error);
  });
  const grpc = await serveGrpc({ host: config.host, port: config.grpcPort, node, mayAsk: asker, tls, health, metrics, logger, headers: config.rlsHeaders }).catch(async (error: unknown) => {
    await Promise.all([app.close(), node.close()]);
    throw error;
  });
  const edges = await serveEdges({ fastify: app.getHttpAdapter().getInstance(), socketPath: config.socketPath, tls, logger }).catch(async (error: unknown) => {
    await Promise.all([app.close(), grpc.close(DRAIN_MS), node.close()]);
    throw error;
  });
  // A bus that is down holds nothing up: the poll covers it (R43).
  app.startAllMicroservices().catch((error: unknown) => logger.error({ err: error }, 'the push cannot be heard; the poll has to do'));
  return {
    // Nest knows of TLS only what is given to itself.
    url: (await app.getUrl()).replace(/^http:/, tls === undefined ? 'http:' : 'https:'),
    grpcPort: grpc.port,
    ready,
    async close() {
      health.startClosing();
      await Promise.all([edges.close(), grpc.close(DRAIN_MS), closeGracefully(app, health, DRAIN_MS)]);
      await node.close();
    },
  };
}
