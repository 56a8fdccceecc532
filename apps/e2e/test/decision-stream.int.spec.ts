import type { DecisionEvent } from '@sluice/events';
import { type RedisServer, sharedKafka, sharedPostgres, startRedis, type TestDatabase } from '@sluice/testkit';
import { type Answer, ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { freePlace, type Place } from './support/free-place.js';
import { endPrograms, startProgram } from './support/program.js';
import { type DecisionReader, type ReadDecision, readDecisions } from './support/read-decisions.js';
import { type RulesApi, rulesApi } from './support/rules-api.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 90_000;
const producerOf = ({ event }: ReadDecision): string | undefined => event.event_id.split(':')[0];
const REQUESTS = 40;
/** Asked every time, and without an end of a window in which a test could come. */
const RULE = { plan: 'free', limit: 30, window_seconds: 600, algorithm: 'sliding_log', consistency: 'exact' };
const SECRET = (where: string): string => `e2e-secret-${where}-7f3a`;
/** What clients and proxies show, and what must be in no event. */
const SHOWN = { authorization: `Bearer ${SECRET('authorization')}`, cookie: `session=${SECRET('cookie')}`, 'x-custom-token': SECRET('header') };

describe('R80 what running nodes decide is in Kafka', () => {
  const region = `r-${process.pid}-${Date.now().toString(36)}`;
  let place: Place;
  let database: TestDatabase;
  let redis: RedisServer;
  let reader: DecisionReader;
  let api: RulesApi;
  let token: string;
  let secret: string;
  let version: number;
  let nodes: Readonly<Record<string, string>>;

  const answersOf = async (one: () => Promise<Answer>, count: number): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    for (let at = 0; at < count; at += 1) answers.push(await one());
    return answers;
  };
  const throughGateway = (headers: Readonly<Record<string, string>>): Promise<Answer> => ask(`${place.gateway}/hello?token=${SECRET('query')}`, { headers: { ...SHOWN, ...headers } });
  const check = (): Promise<Answer> => {
    const known = { plan: 'free', key_id: 'svc-1', endpoint: 'GET /other', ip: '192.0.2.77', device: 'phone', authorization: SECRET('descriptor') };
    return ask(`${place.decision}/v1/ratelimit:check`, { method: 'POST', headers: SHOWN, body: { domain: 'api', descriptors: Object.entries(known).map(([key, value]) => ({ key, value })) } });
  };
  const authorize = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    ask(`${place.decision}/v1/authorize?keys=required`, { headers: { ...SHOWN, 'x-original-uri': `/basket?token=${SECRET('uri')}`, 'x-original-method': 'GET', ...headers } });
  const sent = (is: (event: DecisionEvent) => boolean): readonly ReadDecision[] => reader.of(region).filter(({ event }) => is(event));

  beforeAll(async () => {
    await buildApps();
    const kafka = await sharedKafka();
    [place, database, redis] = await Promise.all([freePlace(), sharedPostgres(), startRedis()]);
    const stack = startProgram('stack', {
      ...place.env,
      SLUICE_DATABASE_URL: database.url,
      SLUICE_REDIS_URL: redis.url,
      SLUICE_KAFKA_BROKERS: kafka.brokers.join(','),
      SLUICE_REGION: region,
      SLUICE_STREAM_ALLOWS: '0.5',
      SLUICE_STREAM_ATTRIBUTES: 'device',
    });
    await stack.untilSaid(/Ctrl-C stops it/);
    [, token = ''] = await stack.untilSaid(/admin token +(\S+)/);
    [, secret = ''] = await stack.untilSaid(/demo-free: (sk_\S+)/);
    reader = readDecisions(kafka.brokers);
    api = rulesApi(place.admin, token);
    expect((await api.put('/v1/rules/free-default', { ...RULE, endpoint: '*' }, { 'if-match': '*' })).status).toBe(200);
    expect((await api.put('/v1/rules/staged', { ...RULE, endpoint: 'GET /hello', limit: 10, mode: 'shadow' }, { 'if-none-match': '*' })).status).toBe(201);
    ({ version } = (await api.get('/v1/snapshot')).json() as { version: number });
    for (const url of [place.ops, place.decision]) await until(async () => new RegExp(`^sluice_snapshot_version(?:\\{.*\\})? ${version}$`, 'm').test((await ask(`${url}/metrics`)).text), 20_000);
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    await reader.close();
    await Promise.all([redis.stop(), database.drop()]);
  }, TIMEOUT_MS);

  it('denials, shadow denials, sampled allows and unknown callers, with where they come from', async () => {
    const gateway = await answersOf(() => throughGateway({ 'x-api-key': secret }), REQUESTS);
    const decision = await answersOf(check, REQUESTS);
    const strangers = [await throughGateway({}), await throughGateway({ 'x-api-key': SECRET('guess') }), await authorize({}), await authorize({ 'x-api-key': SECRET('guess') })];
    expect(strangers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const refused = [gateway.filter(({ status }) => status === 429).length, decision.filter(({ text }) => text.includes('OVER_LIMIT')).length];
    expect(Math.min(...refused)).toBeGreaterThan(0);

    const denied = (app: string) => sent((event) => event.app === app && event.kind === 'decision' && !event.allowed);
    const shadow = () => sent((event) => event.kind === 'shadow');
    const unknown = () => sent((event) => event.kind === 'unauthenticated');
    await until(async () => denied('gateway').length >= (refused[0] ?? 0) && denied('decision').length >= (refused[1] ?? 0) && shadow().length > 0 && unknown().length >= 4, 30_000);
    // All of them, and none twice.
    expect([denied('gateway').length, denied('decision').length, unknown().length]).toEqual([...refused, 4]);
    const ids = reader.of(region).map(({ event }) => event.event_id);
    expect(new Set(ids).size).toBe(ids.length);

    const base = { region, snapshot_version: version, node_id: expect.stringMatching(/-\d+$/) as unknown };
    for (const { event, key } of denied('gateway')) {
      expect(event).toMatchObject({ ...base, app: 'gateway', reason: 'quota', source: 'store', sampled_share: 1, retry_after_ms: expect.any(Number) as unknown });
      expect(event.limits).toMatchObject([{ rule_id: 'free-default', rule_version: 2, allowed: false, limit: 30, remaining: 0, source: 'store', reason: 'quota' }]);
      expect(event.attributes).toMatchObject({ plan: 'free', endpoint: 'GET /hello', ip: '127.0.0.1', key_id: key });
    }
    for (const { event, key } of denied('decision')) {
      expect(event).toMatchObject({ ...base, app: 'decision', reason: 'quota', source: 'store' });
      expect([key, event.attributes]).toEqual(['svc-1', { domain: 'api', plan: 'free', key_id: 'svc-1', endpoint: 'GET /other', ip: '192.0.2.77', device: 'phone' }]);
    }
    for (const { event } of shadow()) expect(event).toMatchObject({ ...base, app: 'gateway', reason: 'shadow', sampled_share: 1, limits: [{ rule_id: 'staged', rule_version: 1 }] });
    expect(unknown().map(({ event }) => [event.app, event.reason, event.attributes]).sort()).toEqual([
      ['decision', 'no_credentials', { endpoint: 'GET /basket', ip: '127.0.0.1' }],
      ['decision', 'unknown_credentials', { endpoint: 'GET /basket', ip: '127.0.0.1' }],
      ['gateway', 'no_credentials', { endpoint: 'GET /hello', ip: '127.0.0.1' }],
      ['gateway', 'unknown_credentials', { endpoint: 'GET /hello', ip: '127.0.0.1' }],
    ]);
    nodes = Object.fromEntries(reader.of(region).map(({ event }) => [event.app, event.node_id]));
    expect(new Set(Object.values(nodes)).size).toBe(2);
  }, TIMEOUT_MS);

  it('of what passes about the share that is configured, which each event names', async () => {
    for (const app of ['gateway', 'decision']) {
      await until(async () => sent((event) => event.app === app && event.allowed && event.kind === 'decision').length > 0, 30_000);
      const allowed = sent((event) => event.app === app && event.allowed && event.kind === 'decision');
      for (const { event } of allowed) expect(event).toMatchObject({ sampled_share: 0.5, reason: 'ok', source: 'store', snapshot_version: version, node_id: nodes[app], limits: [{ rule_id: 'free-default' }] });
      // Of 30; that there are no more than 3, or all but 3, comes once in a hundred thousand.
      expect(allowed.length).toBeGreaterThan(3);
      expect(allowed.length).toBeLessThan(27);
    }
  }, TIMEOUT_MS);

  it('by key: the events of one are in one partition, in their order', () => {
    const all = reader.of(region);
    for (const key of new Set(all.map((each) => each.key))) {
      const own = all.filter((each) => each.key === key);
      expect([key, new Set(own.map(({ partition }) => partition)).size]).toEqual([key, 1]);
      for (const producer of new Set(own.map(producerOf))) {
        const numbers = own.filter((each) => producerOf(each) === producer).map(({ event }) => Number(event.event_id.split(':')[1]));
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      }
    }
  });

  it('no secret is in any of them', () => {
    const all = reader.of(region).map(({ key, text }) => `${key} ${text}`);
    expect(all.length).toBeGreaterThan(20);
    for (const hidden of ['e2e-secret', secret, secret.slice(3), token, 'Bearer']) expect(all.filter((text) => text.includes(hidden))).toEqual([]);
  });

  it('each node counts what it sent and lost', async () => {
    for (const [url, app] of [[place.ops, 'gateway'], [place.decision, 'decision']] as const) {
      const page = (await ask(`${url}/metrics`)).text;
      const count = (outcome: string): number => Number(new RegExp(`^sluice_stream_events_total\\{.*outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(page)?.[1] ?? -1);
      expect([app, count('sent')]).toEqual([app, sent((event) => event.app === app).length]);
      expect(['dropped_full', 'dropped_sink', 'dropped_stop'].map(count)).toEqual([0, 0, 0]);
      expect(page).toMatch(/^sluice_stream_waiting\{.*\} 0$/m);
    }
  });
});
