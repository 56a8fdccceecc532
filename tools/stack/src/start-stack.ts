import { assertPortsFree, DEMO_SEED, portsOf, ruleTag, type StandaloneConfig } from '@sluice-app/standalone';
import { randomBytes } from 'node:crypto';
import { addressesOf } from './addresses.js';
import { appEnvironment, nodeEnvironment } from './app-environment.js';
import { type AppName, type AppProcess, startApp } from './app-process.js';
import { banner } from './banner.js';
import { recordsDecisions } from './records-decisions.js';
import { seedOverHttp } from './seed-over-http.js';
import { startServers } from './servers.js';
import { stopApps } from './stop-apps.js';
import { untilReady } from './until-ready.js';

/** The services as separate processes, with what they need. */
export interface Stack {
  readonly banner: string;
  /** Resolves, to what happened, when an app ends that nobody stopped. */
  readonly appLost: Promise<string>;
  /** Stops the apps, then the servers. @throws Error that names the apps that did not stop by themselves */
  close(): Promise<void>;
}

const NODES: ReadonlySet<AppName> = new Set(['decision', 'gateway']);

/**
 * Starts servers where none are named, then the control plane, seeds it, then the decision log, where something reaches it, then the nodes; resolves when all are ready.
 *
 * @param giveUp ends a start that is under way
 * @throws StartError, after everything that was started has been stopped
 */
export async function startStack(config: StandaloneConfig, giveUp: AbortSignal): Promise<Stack> {
  await assertPortsFree(portsOf(config).filter(({ variable }) => variable !== 'SLUICE_DECISION_LOG_PORT' || recordsDecisions(config)));
  const addresses = await addressesOf(config);
  const servers = await startServers(config);
  const apps: AppProcess[] = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= stopApps([...apps].reverse()).finally(() => servers.stop()));
  try {
    const token = config.adminTokens?.[0] ?? newToken();
    const env = appEnvironment(config, addresses, servers, { admin: token, node: newToken() });
    const start = (name: AppName, url: string): Promise<void> => {
      const app = startApp(name, NODES.has(name) ? nodeEnvironment(env) : env);
      apps.push(app);
      return untilReady(app, url, giveUp);
    };
    await start('rules-admin', addresses.admin.url);
    const keys = await seedOverHttp({ url: addresses.admin.url, token }, DEMO_SEED);
    // Without Kafka there is no stream that it could record.
    if (recordsDecisions(config)) await start('decision-log', addresses.decisionLog.url);
    await Promise.all([start('decision', addresses.decision.url), start('gateway', addresses.ops.url)]);
    const tag = await ruleTag(addresses.admin.url, token, 'free-default');
    return { banner: banner({ config, addresses, servers, keys, token, tag }), appLost: firstLost(apps), close };
  } catch (error) {
    await close().catch(() => undefined); // Why it did not start says more.
    throw error;
  }
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

async function firstLost(apps: readonly AppProcess[]): Promise<string> {
  return Promise.race(apps.map(async ({ name, ended }) => `${name} ended ${(await ended).how}, so the stack stops`));
}
