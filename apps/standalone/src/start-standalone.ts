import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDecision } from '@sluice-app/decision';
import { createDecisionLog, openDecisionStore } from '@sluice-app/decision-log';
import { createGateway } from '@sluice-app/gateway';
import { accessConfig, createRulesAdmin } from '@sluice-app/rules-admin';
import { type CounterStore, memoryStore, systemClock } from '@sluice/limiter';
import { type Logger, openBus } from '@sluice/platform';
import { openRedisStore, streamParts } from '@sluice/rules-node';
import { assertPortsFree } from './assert-ports-free.js';
import { banner } from './banner.js';
import type { StandaloneConfig } from './config.js';
import { decisionConfig } from './decision-config.js';
import { decisionLogConfig } from './decision-log-config.js';
import { DEMO_SEED, DEVELOPMENT_TOKEN } from './demo-seed.js';
import { startEchoUpstream } from './echo-upstream.js';
import { portsOf } from './ports-of.js';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.js';
import { ruleTag } from './rule-tag.js';
import { shownToken } from './shown-token.js';
import { unlessAborted } from './unless-aborted.js';

/** All of Sluice in this process. */
export interface Standalone {
  readonly gatewayUrl: string;
  readonly opsUrl: string;
  readonly adminUrl: string;
  readonly decisionUrl: string;
  /** Where Envoy asks. */
  readonly decisionGrpcUrl: string;
  /** Where to ask about decisions; undefined where the stream is off. */
  readonly decisionLogUrl: string | undefined;
  readonly banner: string;
  /** Closes the apps, then what they stand on, the database last (R44). */
  close(): Promise<void>;
}

interface Closable {
  /** @param deadlineMs when requests in flight are cut */
  close(deadlineMs?: number): Promise<unknown>;
}

/** What runs, in the order of its start. */
interface Running {
  /** What nodes have something to hand to until their end: the control plane, the decision log. */
  readonly planes: Closable[];
  readonly nodes: Closable[];
}

/**
 * Starts everything, embedded where no server is named; what already runs is closed again if a later part fails.
 *
 * @param giveUp ends a start that waits, for a database that is away say
 * @throws StartError, after everything that was started has been closed
 */
export async function startStandalone(config: StandaloneConfig, logger: Logger, giveUp: AbortSignal): Promise<Standalone> {
  const closers: (() => Promise<unknown>)[] = [];
  const opened = <T>(part: T, close: (part: T) => Promise<unknown>): T => {
    closers.unshift(() => close(part));
    return part;
  };
  const running: Running = { planes: [], nodes: [] };
  const plane = <T extends Closable>(started: T): T => {
    running.planes.push(started);
    return started;
  };
  const node = <T extends Closable>(started: T): T => {
    running.nodes.push(started);
    return started;
  };
  const close = async (): Promise<void> => {
    const faults: unknown[] = [];
    // A part that fails to close must not keep the database running.
    for (const each of closers.splice(0)) await each().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
  };
  await assertPortsFree(portsOf(config));
  if (config.snapshotFile !== undefined) logger.warn('SLUICE_SNAPSHOT_FILE is not used here: the control plane is in this process, so that no copy of its rules and keys is kept');
  if (config.stream === 'off' && config.abuseFile !== undefined) logger.warn('SLUICE_ABUSE_FILE is not used here: the stream is off (SLUICE_STREAM), so that nothing is recorded that could be looked at');
  try {
    const postgres = config.databaseUrl === undefined ? opened(await startEmbeddedPostgres(config.dataDir), (db) => db.stop()) : undefined;
    const bus = opened(openBus(config.kafkaBrokers, 'sluice-standalone', logger), (each) => each.close());
    const store = opened(await openStore(config, logger), (each) => each.close());
    const echo = config.upstreamUrl === undefined ? opened(await startEchoUpstream(), (each) => each.close()) : undefined;
    const recorded = config.stream === 'off' ? undefined : opened(await openDecisionStore(decisionLogConfig(config), logger), (each) => each.close());
    closers.unshift(() => closeInTime(running));

    // The nodes of this process, and who reads for the banner, have tokens of their own, so that a configured one need not be sent around.
    const [nodeToken, readerToken, logToken] = [ownToken(), ownToken(), ownToken()];
    const { tokens: nodeTokens, ...access } = accessConfig(config);
    const tokens = [...nodeTokens, ...(config.adminTokens ?? [DEVELOPMENT_TOKEN]).map((token) => ({ token, loopbackOnly: config.adminTokens === undefined }))];
    const admin = plane(
      await createRulesAdmin({
        config: {
          databaseUrl: config.databaseUrl ?? postgres?.url ?? '',
          tokens: [...tokens, { token: nodeToken, role: 'node', loopbackOnly: true }, { token: readerToken, role: 'viewer', loopbackOnly: true }, { token: logToken, role: 'editor', loopbackOnly: true }],
          ...access,
          migrateOnStart: config.migrateOnStart,
          idempotencyTtlMs: config.idempotencyTtlMs,
          host: config.adminHost,
          port: config.adminPort,
        },
        bus,
        counters: store,
        logger,
      }),
    );
    const adminUrl = await admin.listen();
    await unlessAborted(admin.seed(DEMO_SEED), giveUp);

    // Where these nodes run the control plane does too: nothing is gained by a copy of the rules and keys.
    const nodeConfig = { ...config, adminUrl, adminTokens: [nodeToken], snapshotFile: undefined };
    const stream = streamParts(config, { bus, region: 'local', nodeId: 'standalone' });
    const log = recorded && plane(await createDecisionLog({ config: { ...decisionLogConfig(config), adminUrl, adminTokens: [logToken] }, store: recorded, bus, logger }));
    const decision = node(
      await createDecision({ config: decisionConfig(config, nodeConfig), store, bus, logger, stream }),
    );
    const upstreamUrl = config.upstreamUrl ?? echo?.url ?? '';
    const gateway = node(
      await createGateway({
        config: { ...nodeConfig, host: config.gatewayHost, port: config.gatewayPort, opsPort: config.gatewayOpsPort, upstreamUrl },
        store,
        bus,
        logger,
        stream,
      }),
    );
    await unlessAborted(Promise.all([decision.ready, gateway.ready]), giveUp);
    const { url: gatewayUrl, opsUrl } = gateway;
    const { url: decisionUrl } = decision;
    // Beside it, with the same certificates.
    const decisionGrpcUrl = decisionUrl.replace(/\d+$/, String(decision.grpcPort));
    return {
      gatewayUrl,
      opsUrl,
      adminUrl,
      decisionUrl,
      decisionGrpcUrl,
      decisionLogUrl: log?.url,
      banner: banner({
        gatewayUrl,
        opsUrl,
        adminUrl,
        decisionUrl,
        decisionGrpcUrl,
        decisionLogUrl: log?.url,
        upstream: config.upstreamUrl === undefined ? 'an echo service' : new URL(config.upstreamUrl).origin,
        database: postgres === undefined ? 'as configured' : `embedded, data in ${postgres.dataDir}`,
        counters: config.redisUrls === undefined ? 'in memory' : 'in Redis',
        bus: config.kafkaBrokers === undefined ? 'in this process' : 'Kafka',
        token: config.adminTokens === undefined ? DEVELOPMENT_TOKEN : shownToken(config.adminTokens),
        tag: await ruleTag(adminUrl, readerToken, 'free-default'),
      }),
      close,
    };
  } catch (error) {
    await close().catch((fault: unknown) => logger.error({ err: fault }, 'failed to close what had been started'));
    throw error;
  }
}

function ownToken(): string {
  return randomBytes(32).toString('base64url');
}

/** How long the planes wait for the nodes, which have counts and events to hand them; what nodes need beyond it they need beside them. */
const NODES_FIRST_MS = 2_000;
/** When they cut what is still in flight, counted from the beginning: what stands behind them stops within the 10 s, too. */
const CUT_AFTER_MS = 8_000;

/**
 * The nodes, then what they report to. Each may need its 7 or 8 s for requests in flight, and all have 10 (R44): one wholly after
 * the other they could not end in time.
 */
async function closeInTime({ planes, nodes }: Running): Promise<void> {
  const startedMs = performance.now();
  const closing = [...nodes].reverse().map((each) => each.close());
  await Promise.race([Promise.allSettled(closing), sleep(NODES_FIRST_MS, undefined, { ref: false })]);
  const leftMs = CUT_AFTER_MS - (performance.now() - startedMs);
  const ends = await Promise.allSettled([...closing, ...planes.map((each) => each.close(leftMs))]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function openStore({ redisUrls }: StandaloneConfig, logger: Logger): Promise<CounterStore> {
  return redisUrls === undefined ? Promise.resolve(memoryStore(systemClock())) : openRedisStore(redisUrls, logger);
}
