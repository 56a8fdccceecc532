import { deadLetterTopic, TOPICS } from '@sluice/events';
import type { OutgoingMessage } from '@sluice/platform';
import { startKafka } from '@sluice/testkit';
import { createDecisionsTopic, type DecisionsTopic } from './decisions-topic.js';
import type { DeadLetter } from '../../src/sink/dead-letter.js';
import { type RunningSink, startRunningSink } from './running-sink.js';
import { eventIds, streamMessages } from './stream-messages.js';
import { until } from './until.js';

const kafka = await startKafka();
let sink: RunningSink;
let topic: DecisionsTopic | undefined;

beforeAll(async () => {
  if (kafka.kind === 'kafka') topic = await createDecisionsTopic(kafka.brokers, 2);
  sink = await startRunningSink(kafka.brokers);
}, 60_000);

afterAll(async () => {
  await sink.close();
  await topic?.close();
  await kafka.stop();
}, 60_000);

const publish = (messages: readonly OutgoingMessage[]): Promise<number> => sink.bus.publishBatch(TOPICS.decisions, messages);
const storedOf = async (producer: string): Promise<string[]> => (await sink.stored()).filter((id) => id.startsWith(`${producer}:`)).sort();

describe('R81 the sink', () => {
  it('stores events and commits what it stored; repeats are counted and not stored', async () => {
    expect(await publish(streamMessages('plain', 0, 2_000))).toBe(2_000);
    expect(await publish(streamMessages('plain', 500, 700))).toBe(700);
    await until(async () => (await sink.metric(/^sluice_sink_events_total.*stored/)) + (await sink.metric(/^sluice_sink_events_total.*repeated/)) === 2_700);
    expect(await storedOf('plain')).toEqual(eventIds('plain', 2_000).sort());
    expect(await sink.metric(/^sluice_sink_events_total.*stored/)).toBe(2_000);
    expect(await sink.metric(/^sluice_sink_write_seconds_count/)).toBeGreaterThan(0);
    expect(await sink.readiness()).toEqual({ status: 200, detail: undefined });
    if (topic !== undefined) await until(async () => (await topic?.behind()) === 0);
  }, 60_000);

  it('what is no event goes to the dead letter topic with its reason and its place, and the others are stored', async () => {
    const letters: DeadLetter[] = [];
    const listening = sink.bus.subscribeBatches(deadLetterTopic(TOPICS.decisions), 'test', (batch) => {
      letters.push(...batch.messages.map(({ value }) => JSON.parse(value.toString('utf8')) as DeadLetter));
      return Promise.resolve();
    });
    const good = streamMessages('among', 0, 60);
    const [broken, later, other, long] = [Buffer.from('{"schema_version":1,'), ...streamMessages('later', 0, 1, { schema_version: 2 }).map(({ value }) => Buffer.from(value)), Buffer.from([0x7b, 0xff, 0x7d]), Buffer.alloc(600_000, 'x')];
    if (later === undefined || other === undefined || long === undefined) throw new Error('too few');
    const bad = [broken, later, other, long].map((value, index) => ({ key: `bad-${index}`, value }));
    // In between, at the ends, and side by side.
    const mixed = [...bad.slice(0, 1), ...good.slice(0, 20), ...bad.slice(1, 3), ...good.slice(20), ...bad.slice(3)];
    expect(await publish(mixed)).toBe(mixed.length);
    await until(() => letters.length >= 4);
    await until(async () => (await storedOf('among')).length === 60);
    expect(await storedOf('among')).toEqual(eventIds('among', 60).sort());
    expect(await storedOf('later')).toEqual([]);
    const byKey = new Map(letters.map((letter) => [letter.key, letter]));
    expect(bad.map(({ key }) => byKey.get(key)?.reason)).toEqual([
      'is not a JSON object',
      'has schema_version 2, and only 1 and the one before are read',
      'is not UTF-8',
      'is longer than 524288 characters',
    ]);
    for (const { key, value } of bad) {
      const letter = byKey.get(key);
      expect(Buffer.from(letter?.value_base64 ?? '', 'base64')).toEqual(value.subarray(0, 65_536));
      expect(letter).toMatchObject({ key, value_bytes: value.length, partition: expect.any(Number) as number, offset: expect.stringMatching(/^\d+$/) as string });
    }
    expect(await sink.metric(/^sluice_sink_events_total.*dead/)).toBe(4);
    await listening.close();
  }, 60_000);

  it('while the store is away nothing is lost or doubled, the lag grows, readiness says why, and the log tells of it once', async () => {
    const before = sink.logged.length;
    sink.takeAway();
    const started = Date.now();
    expect(await publish([...streamMessages('away', 0, 1_500), { key: 'bad-5', value: 'no event' }])).toBe(1_501);
    await until(() => sink.refused >= 5, 40_000);
    const away = (Date.now() - started) / 1_000;
    expect(await sink.metric(/^sluice_sink_lag_seconds/)).toBeGreaterThan(Math.min(3, away * 0.7));
    expect(await sink.readiness()).toEqual({ status: 200, detail: 'degraded: the store takes no events: it was taken away' });
    // No letter before its neighbours are stored, however often they come.
    expect(await sink.metric(/^sluice_sink_events_total.*dead/)).toBe(4);
    expect(await publish(streamMessages('away', 1_500, 500))).toBe(500);
    sink.giveBack();
    await until(async () => (await storedOf('away')).length >= 2_000, 40_000);
    expect(await storedOf('away')).toEqual(eventIds('away', 2_000).sort());
    await until(async () => (await sink.metric(/^sluice_sink_events_total.*dead/)) === 5);
    await until(async () => (await sink.readiness()).detail === undefined);
    if (topic !== undefined) await until(async () => (await topic?.behind()) === 0);
    const told = sink.logged.slice(before).filter(({ msg }) => /batch handler/.test(String(msg)));
    expect(told.map(({ level, msg }) => `${String(level)} ${String(msg)}`)).toEqual(['warn batch handler fails; the same messages come again until it does not', 'info batch handler is well again']);
    expect(await publish(streamMessages('fresh', 0, 1))).toBe(1);
    await until(async () => (await storedOf('fresh')).length === 1);
    expect(await sink.metric(/^sluice_sink_lag_seconds/)).toBeLessThan(5);
  }, 90_000);
});
