import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { CounterStore } from '@sluice/limiter';
import { closeGracefully, createApp, createMetrics, type EventBus, guardRoutes, HealthChecks, listenFault, type Logger, measureBus, type RoutedAccess, serveOpenApi } from '@sluice/platform';
import { scopeRequests } from './access/acting.js';
import { Door } from './access/door.js';
import { raiseBodyLimit } from './bulk/body-limit.js';
import type { RulesAdminConfig } from './config.js';
import { databaseProblem } from './database/database-problem.js';
import { refuseUnstorableText } from './input/refuse-unstorable-text.js';
import { buildDocument } from './openapi/build-document.js';
import { RulesAdminModule } from './rules-admin.module.js';
import type { Seed, Seeded } from './seed/seed.js';
import { SeedService } from './seed/seed.service.js';

/** Largest body of the API in bytes. */
const BODY_LIMIT = 65_536;

/** What the control plane is made with. Who makes the bus closes it, after this. */
export interface RulesAdminOptions {
  readonly config: RulesAdminConfig;
  readonly bus: EventBus;
  /** The counters that nodes share, if they are in this process; who made them closes them. Default: those at the config's `redisUrls`. */
  readonly counters?: CounterStore | undefined;
  readonly logger: Logger;
  /** Metrics of the process beside those of the app; wanted once a process. Default true. */
  readonly processMetrics?: boolean;
}

/** A control plane. */
export interface RulesAdmin {
  readonly app: NestFastifyApplication;
  readonly health: HealthChecks;
  /** Every route and who may use it (R62); complete once it listens. */
  readonly routes: readonly RoutedAccess[];
  /** Listens where the config says, whether or not PostgreSQL is there. @returns the URL on this machine */
  listen(): Promise<string>;
  /** Adds what is not there, once the database is reached. */
  seed(seed: Seed): Promise<Seeded>;
  /** @param deadlineMs when requests still in flight are cut; default 8 s. @returns whether all ended in time by itself (R44) */
  close(deadlineMs?: number): Promise<boolean>;
}

/** Puts the control plane together; it does not listen yet. */
export async function createRulesAdmin({ config, bus, counters, logger, processMetrics = true }: RulesAdminOptions): Promise<RulesAdmin> {
  const health = new HealthChecks();
  const metrics = createMetrics({ app: 'rules-admin', process: processMetrics });
  measureBus(bus, metrics);
  const entrance: { door?: Door; routes: readonly RoutedAccess[] } = { routes: [] };
  const app = await createApp(RulesAdminModule.with({ config, bus, counters, logger, health, metrics }), {
    logger,
    health,
    metrics,
    bodyLimit: BODY_LIMIT,
    translators: [databaseProblem],
    routes: (fastify) => {
      scopeRequests(fastify);
      // Before all other hooks and routes; the door itself comes with the app.
      entrance.routes = guardRoutes(fastify, (request, asked) => (entrance.door ??= app.get(Door, { strict: false })).admit(request, asked));
      refuseUnstorableText(fastify);
      raiseBodyLimit(fastify);
    },
  });
  serveOpenApi(app, () => buildDocument(app));
  return {
    app,
    health,
    routes: entrance.routes,
    async listen() {
      await app.listen(config.port, config.host).catch((error: unknown) => {
        throw listenFault({ variable: 'SLUICE_ADMIN_PORT', host: config.host, port: config.port }, error);
      });
      const address: unknown = app.getHttpServer().address();
      const port = typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : config.port;
      return `http://127.0.0.1:${port}`;
    },
    seed: (seed) => app.get(SeedService, { strict: false }).seed(seed),
    close: (deadlineMs) => closeGracefully(app, health, deadlineMs),
  };
}
