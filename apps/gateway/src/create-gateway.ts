import type { MicroserviceOptions } from '@nestjs/microservices';
import type { Clock, CounterStore } from '@sluice/limiter';
import { closeGracefully, createApp, createMetrics, type EventBus, HealthChecks, listenFault, type Logger, measureBus } from '@sluice/platform';
import { ConfigChangesModule, createRulesNode, PushServer, type StreamParts } from '@sluice/rules-node';
import type { RuleIndex, Snapshot } from '@sluice/rules';
import type { GatewayConfig } from './config/gateway-config.js';
import { TwoPassRules } from './limit/two-pass-rules.js';
import { createProxy } from './proxy/create-proxy.js';

/** What the gateway runs on. Store and bus stay the caller's to close. */
export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly store: CounterStore;
  readonly bus: EventBus;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Where to send what is decided (R80); absent: nowhere. */
  readonly stream?: StreamParts | undefined;
  /** Event loop and heap as metrics; wanted once a process. Default false. */
  readonly processMetrics?: boolean;
}

/** A running gateway. */
export interface RunningGateway {
  /** Where clients come. */
  readonly url: string;
  /** Where operators look. */
  readonly opsUrl: string;
  /** Resolves when there are rules to decide by; until then it answers 503. */
  readonly ready: Promise<void>;
  /** Stops taking requests, answers those in flight, returns leases (R44). */
  close(): Promise<void>;
}

/** Whoever reads health or metrics has this long to end. */
const OPERATIONS_DRAIN_MS = 1_000;

/** Starts the gateway: the proxy on one port, health and metrics on another. */
export async function createGateway(parts: GatewayParts): Promise<RunningGateway> {
  const { config, bus, logger } = parts;
  const { host, port, opsPort } = config;
  const health = new HealthChecks();
  const metrics = createMetrics({ app: 'gateway', process: parts.processMetrics ?? false });
  let twoPass: TwoPassRules | undefined;
  const rulesOf = (index: RuleIndex, snapshot: Snapshot): RuleIndex => (twoPass = new TwoPassRules(index, snapshot, config.edgeDomain));
  const node = createRulesNode({ ...parts, app: 'gateway', health, metrics, needsKeys: true, rulesOf });
  const { limiter, snapshots, keys, observe, stream, hasRules } = node;
  measureBus(bus, metrics);
  const proxy = createProxy({ config, limiter, keys, observe, stream, hasRules, hasCoarse: () => twoPass?.hasCoarse ?? false, logger, metrics });
  const operations = await createApp(ConfigChangesModule.register(snapshots), { logger, health, metrics });
  operations.connectMicroservice<MicroserviceOptions>({ strategy: new PushServer(bus) });
  const ready = node.start();
  const closeAll = (): Promise<unknown> => Promise.all([proxy.close(), operations.close(), node.close()]);
  const url = await proxy.listen({ port, host }).catch(async (error: unknown) => {
    await closeAll();
    throw listenFault({ variable: 'SLUICE_GATEWAY_PORT', host, port }, error);
  });
  await operations.listen(opsPort, host).catch(async (error: unknown) => {
    await closeAll();
    throw listenFault({ variable: 'SLUICE_GATEWAY_OPS_PORT', host, port: opsPort }, error);
  });
  // A bus that is down holds nothing up: the poll covers it (R43).
  operations.startAllMicroservices().catch((error: unknown) => logger.error({ err: error }, 'the push cannot be heard; the poll has to do'));
  return {
    url,
    opsUrl: await operations.getUrl(),
    ready,
    async close() {
      health.startClosing();
      await proxy.close();
      // Beside each other: what each may have to wait for would be more than is left of the 10 s.
      await Promise.all([node.close(), closeGracefully(operations, health, OPERATIONS_DRAIN_MS)]);
    },
  };
}
