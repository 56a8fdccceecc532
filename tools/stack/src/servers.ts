import { startEchoUpstream, type StandaloneConfig } from '@sluice-app/standalone';
import { StartError } from '@sluice/platform';
import { startPostgres, startRedis, temporaryFolder } from '@sluice/testkit';
import { recordsDecisions } from './records-decisions.js';

/** What the apps need: real servers, the given ones or our own. */
export interface Servers {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly upstreamUrl: string;
  /** Where decisions are kept for as long as the stack runs; undefined where there are none, or their place is configured. */
  readonly decisionsDir: string | undefined;
  /** Ends those that were started here, with their data. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL, Redis and an echo service where the configuration names none, and makes a folder for decisions. They end with this process at the latest. @throws StartError that says what is missing */
export async function startServers(config: StandaloneConfig): Promise<Servers> {
  const { databaseUrl, redisUrls, upstreamUrl } = config;
  const started: { stop(): Promise<void> }[] = [];
  const own = async <T extends { readonly url: string }>(variable: string, starting: Promise<T>, stop: (server: T) => Promise<void>): Promise<string> => {
    const server = await starting.catch((error: unknown) => {
      throw new StartError(`no server could be started here: set ${variable} to one that runs. Why: ${reasonOf(error)}`);
    });
    started.push({ stop: () => stop(server) });
    return server.url;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.splice(0).map((server) => server.stop()));
  };
  const urls = await Promise.allSettled([
    databaseUrl ?? own('SLUICE_DATABASE_URL', startPostgres(), (server) => server.stop()),
    redisUrls?.join(',') ?? own('SLUICE_REDIS_URL', startRedis(), (server) => server.stop()),
    upstreamUrl ?? own('SLUICE_UPSTREAM_URL', startEchoUpstream(), (server) => server.close()),
  ]);
  const [database, redis, upstream] = urls;
  if (database.status === 'fulfilled' && redis.status === 'fulfilled' && upstream.status === 'fulfilled') {
    // Not the folder of `npm start`: two control planes would have their decisions in one history.
    const decisions = recordsDecisions(config) && config.decisionLogDir === undefined && config.clickhouseUrl === undefined ? await temporaryFolder('decisions') : undefined;
    if (decisions !== undefined) started.push({ stop: decisions.remove });
    return { databaseUrl: database.value, redisUrl: redis.value, upstreamUrl: upstream.value, decisionsDir: decisions?.path, stop };
  }
  await stop();
  throw new StartError(urls.flatMap((each) => (each.status === 'rejected' ? [reasonOf(each.reason)] : [])).join('\n'));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
