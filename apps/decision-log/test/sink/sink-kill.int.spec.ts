import { createLogger, KafkaBus } from '@sluice/platform';
import { TOPICS } from '@sluice/events';
import { startKafka } from '@sluice/testkit';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js';
import { createDecisionsTopic } from './decisions-topic.js';
import { buildSink, type SinkProcess, startSink } from './sink-process.js';
import { eventIds, streamMessages } from './stream-messages.js';
import { until } from './until.js';

const KILLS = 20;
const EVENTS = 200_000;
const PRODUCERS = ['node-a', 'node-b'] as const;
/** The least that the broker allows, so that a member that was killed is soon missed. */
const SESSION_MS = 1_000;
const PER_CALL = 1_000;

const kafka = await startKafka();
afterAll(() => kafka.stop());

/** Numbers from 0 to below 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('R81 the sink is killed', () => {
  (kafka.kind === 'mock' ? it.skip : it)(`${KILLS} times in the midst of a batch, while ${EVENTS} events and repeats of some arrive: each is there once (needs a real broker)`, async () => {
    await buildSink();
    const random = seeded(81);
    const logger = createLogger({ app: 'test', level: 'fatal' });
    const dir = await mkdtemp(join(tmpdir(), 'sluice-kill-'));
    const topic = await createDecisionsTopic(kafka.brokers, 3);
    const bus = new KafkaBus({ brokers: kafka.brokers, clientId: 'test', logger, publishBoundMs: 20_000 });
    let repeats = 0;
    const send = async (producer: string, from: number): Promise<void> => {
      expect(await bus.publishBatch(TOPICS.decisions, streamMessages(producer, from, PER_CALL))).toBe(PER_CALL);
    };
    /** The part of a round, of both producers; now and then what one of them sent before comes once more, at another place. */
    const publish = async (round: number): Promise<void> => {
      const share = EVENTS / PRODUCERS.length / KILLS;
      for (let from = round * share; from < (round + 1) * share; from += PER_CALL) {
        for (const producer of PRODUCERS) {
          await send(producer, from);
          if (random() > 0.1) continue;
          await send(producer, Math.floor((random() * from) / PER_CALL) * PER_CALL);
          repeats += PER_CALL;
        }
      }
    };
    const start = (): SinkProcess => startSink(kafka.brokers, dir, SESSION_MS);
    let sink = start();
    let next: SinkProcess | undefined;
    try {
      let midBatch = 0;
      for (let round = 0; round < KILLS; round += 1) {
        const publishing = publish(round);
        const begun = sink.begin();
        next = start();
        await begun;
        await sleep(random() * 150);
        if (await sink.kill()) midBatch += 1;
        await publishing;
        sink = next;
      }
      await sink.begin();
      await until(async () => (await topic.behind()) === 0, 90_000, 200);
      await sink.end();
      expect(midBatch).toBeGreaterThanOrEqual(KILLS / 4);
      expect(repeats).toBeGreaterThan(0);

      const store = await openDuckDbStore({ dir, retentionMs: 86_400_000, logger });
      const seen = new Map<string, number>();
      for await (const events of store.scan({ fromMs: 0, toMs: Date.now() + 60_000 })) {
        for (const { event_id } of events) seen.set(event_id, (seen.get(event_id) ?? 0) + 1);
      }
      await store.close();
      expect([...seen].filter(([, times]) => times > 1)).toEqual([]);
      const missing = PRODUCERS.flatMap((producer) => eventIds(producer, EVENTS / PRODUCERS.length)).filter((id) => !seen.has(id));
      expect(missing).toEqual([]);
      expect(seen.size).toBe(EVENTS);
    } finally {
      await Promise.all([sink.kill(), next?.kill()]);
      await bus.close();
      await topic.close();
      await rm(dir, { recursive: true, force: true });
    }
  }, 420_000);
});
