import { setTimeout as sleep } from 'node:timers/promises';
import { type KafkaServer, type RedisServer, sharedPostgres, startKafka, startRedis, type TestDatabase } from '@sluice/testkit';
import { ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { freePlace, type Place } from './support/free-place.js';
import { type Answered, type Load, startLoad, summary } from './support/load.js';
import { endPrograms, type Program, startProgram } from './support/program.js';
import { type DecisionReader, readDecisions } from './support/read-decisions.js';
import { ADMIN_TOKEN, startRulesAdmin } from './support/rules-admin.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 120_000;
const PER_SECOND = 150;
const REGION = 'outage';

/** What a node says of its stream. */
interface Counts {
  readonly sent: number;
  readonly sampled_out: number;
  readonly dropped_full: number;
  readonly dropped_sink: number;
  readonly dropped_stop: number;
  readonly waiting: number;
}

describe('R80 a node under load while Kafka is away', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  let kafka: KafkaServer;
  let place: Place;
  let decision: Program;
  let reader: DecisionReader;
  let loads: readonly Load[];

  async function counts(): Promise<Counts> {
    const page = (await ask(`${place.decision}/metrics`)).text;
    const events = (outcome: string): number => Number(new RegExp(`^sluice_stream_events_total\\{.*outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(page)?.[1]);
    const waiting = Number(/^sluice_stream_waiting\{.*\} (\d+)$/m.exec(page)?.[1]);
    return { sent: events('sent'), sampled_out: events('sampled_out'), dropped_full: events('dropped_full'), dropped_sink: events('dropped_sink'), dropped_stop: events('dropped_stop'), waiting };
  }
  const sumOf = ({ sent, dropped_full, dropped_sink, dropped_stop, waiting }: Counts): number => sent + dropped_full + dropped_sink + dropped_stop + waiting;

  const check = (known: Readonly<Record<string, string>>): Load =>
    startLoad({
      url: `${place.decision}/v1/ratelimit:check`,
      method: 'POST',
      body: { domain: 'api', descriptors: Object.entries({ plan: 'free', ...known }).map(([key, value]) => ({ key, value })) },
      requestsPerSecond: PER_SECOND,
    });

  async function phase(name: string, ms: number): Promise<Counts> {
    const fromMs = Date.now();
    await sleep(ms);
    const answers = loads.flatMap((load) => load.since(fromMs));
    const { statuses, p50Ms, p99Ms } = summary(answers);
    const now = await counts();
    process.stdout.write(`R80: ${name}: ${JSON.stringify(statuses)}, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; events ${JSON.stringify(now)}\n`);
    expect(Object.keys(statuses)).toEqual(['200']);
    expect(answers.length).toBeGreaterThan((PER_SECOND * loads.length * ms) / 1000 / 2);
    // Whoever waited for what is away would wait for seconds; no p99 is certain on a machine that is shared.
    expect(p50Ms).toBeLessThan(1_000);
    return now;
  }

  beforeAll(async () => {
    await buildApps();
    [database, redis, kafka, place] = await Promise.all([sharedPostgres(), startRedis(), startKafka(), freePlace()]);
    const admin = await startRulesAdmin(database.url);
    expect((await admin.api.put('/v1/plans/free', { name: 'Free' }, { 'if-none-match': '*' })).status).toBe(201);
    const rules = { wide: { endpoint: 'GET /wide', limit: 100_000_000 }, narrow: { endpoint: 'GET /narrow', limit: 1 } };
    for (const [name, rule] of Object.entries(rules)) expect((await admin.api.put(`/v1/rules/${name}`, { plan: 'free', window_seconds: 86_400, ...rule }, { 'if-none-match': '*' })).status).toBe(201);
    decision = startProgram('decision', {
      ...place.env,
      SLUICE_ADMIN_URL: admin.url,
      SLUICE_ADMIN_TOKEN: ADMIN_TOKEN,
      SLUICE_REDIS_URL: redis.url,
      SLUICE_KAFKA_BROKERS: kafka.brokers.join(','),
      SLUICE_REGION: REGION,
      SLUICE_STREAM_ALLOWS: '1',
      SLUICE_LOG_LEVEL: 'error',
    });
    await until(async () => (await ask(`${place.decision}/readyz`)).status === 200, 30_000);
    reader = readDecisions(kafka.brokers);
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    await reader.close();
    await Promise.all([kafka.stop(), redis.stop(), database.drop()]);
  }, TIMEOUT_MS);

  it('decides as before, counts what it loses, and sends again when Kafka is back', async () => {
    loads = [check({ key_id: 'k1', endpoint: 'GET /wide' }), check({ key_id: 'k2', endpoint: 'GET /narrow' })];
    // A process that has just started is slow by itself.
    await sleep(3_000);
    const [well, hung, killed] = [await phase('all is well', 4_000), (kafka.pause(), await phase('Kafka hangs', 5_000)), (await kafka.kill(), await phase('Kafka is killed', 5_000))];
    expect(well.sent).toBeGreaterThan(0);
    expect(killed.dropped_sink).toBeGreaterThan(0);
    expect(killed.sent - hung.sent).toBeLessThan(PER_SECOND);
    let back: Counts | undefined;
    let backMs = Infinity;
    // The mock that stands in where Kafka cannot be had keeps nothing, and cannot come back.
    if (kafka.kind === 'kafka') {
      await kafka.restart();
      await phase('Kafka is back', 5_000);
      await until(async () => (await counts()).sent > killed.sent, 30_000);
      backMs = Date.now();
      back = await phase('and stays', 3_000);
    }
    const answers: readonly Answered[] = (await Promise.all(loads.map((load) => load.stop()))).flat();
    if (back !== undefined) await until(async () => (await counts()).waiting === 0, 30_000);
    const end = await counts();
    process.stdout.write(`R80: ${answers.length} decisions; events ${JSON.stringify(end)}\n`);
    // Every decision was to be sent; each is in one of the counts.
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect([sumOf(end), end.sampled_out, end.dropped_stop]).toEqual([answers.length, 0, 0]);
    if (back === undefined) return;
    expect(end.sent).toBeGreaterThan(killed.sent);
    await until(async () => new Set(reader.of(REGION).map(({ event }) => event.event_id)).size >= end.sent, 30_000);
    const read = reader.of(REGION);
    const ids = new Set(read.map(({ event }) => event.event_id));
    // What was given up at its bound may have arrived all the same; nothing else is there.
    expect(ids.size).toBeLessThanOrEqual(answers.length - end.dropped_full);
    expect(read.some(({ event }) => event.at_ms > backMs && !event.allowed && event.attributes['key_id'] === 'k2')).toBe(true);
    process.stdout.write(`R80: ${ids.size} events are in Kafka, ${read.length - ids.size} of them twice\n`);
  }, TIMEOUT_MS);

  it('R44 ends in 10 s, code 0, while Kafka hangs', async () => {
    if (kafka.kind === 'kafka') kafka.pause();
    loads = [check({ key_id: 'k1', endpoint: 'GET /wide' }), check({ key_id: 'k2', endpoint: 'GET /narrow' })];
    await sleep(2_000);
    await Promise.all(loads.map((load) => load.stop()));
    const startedMs = Date.now();
    expect(await decision.end('SIGTERM')).toBe(0);
    const tookMs = Date.now() - startedMs;
    process.stdout.write(`R44: a decision service with events that nobody takes ended in ${tookMs} ms\n`);
    expect(tookMs).toBeLessThan(10_000);
    if (kafka.kind === 'kafka') kafka.resume();
  }, TIMEOUT_MS);
});
