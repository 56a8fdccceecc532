import { redisStore } from '@sluice/limiter';
import { createLogger, InProcessBus } from '@sluice/platform';
import { createGateway, type GatewayConfig } from '@sluice-app/gateway';
import { startUpstream } from '../../../../gateway/test/upstream.js';
import { FAILING_PATH, type Ground, type Surface } from '../surface.js';
import { STORE_TIMEOUT_MS } from './engine.js';
import { fallbacksOf } from './fallback-count.js';
import { askHttp, exchange } from './http-answer.js';
import { knownKey } from './known-key.js';

const LIMITS_PATH = '/own-limits';
/** Nobody listens there: what never reaches an upstream is given back. */
const NOWHERE = 'http://127.0.0.1:1';

/** The gateway before an upstream that names the cost that it is told to name; another one, on the same counters, has nothing behind it that could be reached. */
export async function gatewaySurface(ground: Ground, upstreamCosts: boolean): Promise<Surface> {
  const { plane } = ground;
  const upstream = await startUpstream();
  upstream.answer = (request, response) => {
    const cost = request.headers['x-cost'];
    if (cost !== undefined) response.setHeader('Sluice-Cost', cost);
    response.end('ok');
  };
  const store = redisStore({ url: ground.redisUrl, timeoutMs: STORE_TIMEOUT_MS });
  await store.ready(5_000);
  const logger = createLogger({ app: 'gateway', level: 'silent' });
  const bus = new InProcessBus(logger);
  const gateway = await createGateway({ config: configOf(ground, upstream.url, upstreamCosts), store, bus, logger });
  const without = await createGateway({ config: configOf(ground, NOWHERE, upstreamCosts), store, bus, logger });
  await Promise.all([gateway.ready, without.ready]);
  const askAt = (url: string, { key, path, cost, fields }: Parameters<Surface['ask']>[0]): ReturnType<Surface['ask']> =>
    askHttp(url + path, { ...fields, 'X-Api-Key': knownKey(plane, key), ...(cost !== undefined && { 'X-Cost': String(cost) }) });
  return {
    name: upstreamCosts ? 'gateway, costs named by the upstream' : 'gateway',
    ask: (question) => askAt(gateway.url, question),
    async peek({ key, path }) {
      const { body } = await exchange(`${gateway.url}${LIMITS_PATH}?endpoint=${encodeURIComponent(`GET ${path}`)}`, { fields: { 'X-Api-Key': knownKey(plane, key) } });
      const limits = Array.isArray(body['limits']) ? (body['limits'] as { remaining: number }[]) : [];
      return Math.min(...limits.map(({ remaining }) => remaining));
    },
    askAndGiveBack: ({ key }) => askAt(without.url, { key, path: FAILING_PATH }),
    fallbacks: (ruleId) => fallbacksOf(gateway.opsUrl, ruleId),
    async close() {
      await Promise.all([gateway.close(), without.close()]);
      await bus.close();
      await store.close();
      await upstream.close();
    },
  };
}

function configOf({ plane, trust }: Ground, upstreamUrl: string, upstreamCosts: boolean): GatewayConfig {
  return {
    host: '127.0.0.1',
    port: 0,
    opsPort: 0,
    upstreamUrl,
    upstreamTimeoutMs: 10_000,
    trustedProxies: trust,
    corsOrigins: undefined,
    edgeLimit: undefined,
    edgeIpv6Prefix: 64,
    edgeDomain: 'edge',
    upstreamCosts,
    limitsPath: LIMITS_PATH,
    wsMessageRule: undefined,
    headerTimeoutMs: 10_000,
    stallTimeoutMs: 300_000,
    adminUrl: plane.url,
    adminTokens: ['node-token'],
    pollMs: 50,
    keyTtlMs: 60_000,
    fleetSize: undefined,
    hotKeys: 'split',
    snapshotFile: undefined,
  };
}
