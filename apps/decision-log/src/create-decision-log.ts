import type { MicroserviceOptions } from '@nestjs/microservices';
import { closeGracefully, createApp, createMetrics, type EventBus, EventBusServer, guardRoutes, HealthChecks, listenFault, type Logger, measureBus, type RoutedAccess, serveOpenApi } from '@sluice/platform';
import { loadAbuseRules } from './abuse/load-abuse-rules.js';
import { Door } from './access/door.js';
import { neverCached } from './access/never-cached.js';
import { raiseBodyLimit } from './backtests/body-limit.js';
import type { DecisionLogConfig } from './config/decision-log-config.js';
import { DecisionLogModule } from './decision-log.module.js';
import { buildDocument } from './openapi/build-document.js';
import { storeProblem } from './problems/store-problem.js';
import type { DecisionStore } from './store/decision-store.js';
import { storeCheck } from './store/store-check.js';

/** What the service runs on. Store and bus stay the caller's to close. */
export interface DecisionLogParts {
  readonly config: DecisionLogConfig;
  readonly store: DecisionStore;
  readonly bus: EventBus;
  readonly logger: Logger;
  /** Event loop and heap as metrics; wanted once a process. Default false. */
  readonly processMetrics?: boolean;
}

/** A running service. */
export interface RunningDecisionLog {
  readonly url: string;
  /** Every route and who may use it (R62). */
  readonly routes: readonly RoutedAccess[];
  /** @param deadlineMs when requests still in flight are cut; default 8 s */
  close(deadlineMs?: number): Promise<boolean>;
}

/** Starts the decision log: the sink, and the API over what it stored. @throws ConfigError that lists what is wrong with the file of abuse patterns; StartError for a port that cannot be had */
export async function createDecisionLog({ config, store, bus, logger, processMetrics = false }: DecisionLogParts): Promise<RunningDecisionLog> {
  const { host, port } = config;
  // Before Nest is there, which would print a fault of its own about what a provider throws.
  const abuseRules = loadAbuseRules(config.abuseFile);
  const health = new HealthChecks();
  const metrics = createMetrics({ app: 'decision-log', process: processMetrics });
  measureBus(bus, metrics);
  health.register('store', storeCheck(store));
  const entrance: { door?: Door; routes: readonly RoutedAccess[] } = { routes: [] };
  const app = await createApp(DecisionLogModule.with({ config, abuseRules, store, bus, logger, health, metrics }), {
    logger,
    health,
    metrics,
    translators: [storeProblem],
    routes: (fastify) => {
      raiseBodyLimit(fastify);
      // Before all other hooks and routes; the door itself comes with the app.
      entrance.routes = guardRoutes(fastify, (request, asked) => (entrance.door ??= app.get(Door, { strict: false })).admit(request, asked));
      neverCached(fastify);
    },
  });
  serveOpenApi(app, () => buildDocument(app));
  app.connectMicroservice<MicroserviceOptions>({ strategy: new EventBusServer(bus) }, { inheritAppConfig: false });
  await app.listen(port, host).catch(async (error: unknown) => {
    await app.close();
    throw listenFault({ variable: 'SLUICE_DECISION_LOG_PORT', host, port }, error);
  });
  // A bus that is down holds nothing up: what is stored can be asked.
  app.startAllMicroservices().catch((error: unknown) => logger.error({ err: error }, 'the decision stream cannot be read'));
  return { url: await app.getUrl(), routes: entrance.routes, close: (deadlineMs) => closeGracefully(app, health, deadlineMs) };
}
