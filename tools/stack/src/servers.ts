import { startEchoUpstream, type StandaloneConfig } from '@sluice-app/standalone';
import { startPostgres, startRedis } from '@sluice/testkit';

/** What the apps need: real servers, the given ones or our own. */
export interface Servers {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly upstreamUrl: string;
  /** Ends those that were started here, with their data. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL, Redis and an echo service where the configuration names none. They end with this process at the latest. */
export async function startServers({ databaseUrl, redisUrls, upstreamUrl }: StandaloneConfig): Promise<Servers> {
  const started: { stop(): Promise<void> }[] = [];
  const own = async <T extends { readonly url: string }>(starting: Promise<T>, stop: (server: T) => Promise<void>): Promise<string> => {
    const server = await starting;
    started.push({ stop: () => stop(server) });
    return server.url;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.splice(0).map((server) => server.stop()));
  };
  const urls = await Promise.allSettled([
    databaseUrl ?? own(startPostgres(), (server) => server.stop()),
    redisUrls?.join(',') ?? own(startRedis(), (server) => server.stop()),
    upstreamUrl ?? own(startEchoUpstream(), (server) => server.close()),
  ]);
  const [database, redis, upstream] = urls;
  if (database.status === 'fulfilled' && redis.status === 'fulfilled' && upstream.status === 'fulfilled') {
    return { databaseUrl: database.value, redisUrl: redis.value, upstreamUrl: upstream.value, stop };
  }
  await stop();
  throw urls.find((each) => each.status === 'rejected')?.reason;
}
