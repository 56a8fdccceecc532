import { setImmediate as turn } from 'node:timers/promises';
import { eventOf } from '../../test/store-contract/sample-events.js';
import type { DecisionColumns } from '../store/decision-columns.js';
import { eventColumns } from '../store/event-columns.js';
import { inOrder } from './in-order.js';

const CHUNK = 2_048;
const START_MS = Date.UTC(2026, 10, 30);
const PRODUCERS = 8;

async function template(): Promise<DecisionColumns> {
  const events = Array.from({ length: CHUNK }, (_, at) => eventOf({ event_id: `p${at % PRODUCERS}:${at}`, at_ms: START_MS }));
  for await (const columns of eventColumns((async function* () { yield events; })(), new Set(['key_id']))) return columns;
  throw new Error('there are no columns');
}

/** Of eight producers, all within 0.9 s; as a store has them, by time, except that numbers step back within a ms. */
async function* busy(chunks: number, columns: DecisionColumns): AsyncGenerator<DecisionColumns> {
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const number = (at: number): number => chunk * CHUNK + at;
    yield {
      ...columns,
      atMs: Float64Array.from({ length: CHUNK }, (_, at) => START_MS + Math.floor((900 * number(at)) / (chunks * CHUNK))),
      sequence: Float64Array.from({ length: CHUNK }, (_, at) => number(at ^ 8)),
    };
  }
}

interface Spent {
  readonly rows: number;
  /** Of the thread. */
  readonly cpuMs: number;
  /** The longest that nobody else on the thread had a turn, of that. */
  readonly longestMs: number;
}

async function spentOn(chunks: number): Promise<Spent> {
  const source = busy(chunks, await template());
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let rows = 0;
  let isOver = false;
  const startMs = cpuMs();
  const reading = (async () => {
    for await (const { length } of inOrder(source)) rows += length;
  })().finally(() => (isOver = true));
  let longestMs = 0;
  for (let beforeMs = cpuMs(); !isOver; beforeMs = cpuMs()) {
    await turn();
    longestMs = Math.max(longestMs, cpuMs() - beforeMs);
  }
  await reading;
  return { rows, cpuMs: cpuMs() - startMs, longestMs };
}

describe('R59 events in order, beside queries and the sink', () => {
  it('of 400,000 in less than a second nothing takes long, and four times as many take some four times as long', async () => {
    await spentOn(20);
    const quarter = await spentOn(49);
    const whole = await spentOn(196);
    expect([quarter.rows, whole.rows]).toEqual([49 * CHUNK, 196 * CHUNK]);
    expect(whole.longestMs).toBeLessThan(150);
    // 16 where it is quadratic.
    expect(whole.cpuMs).toBeLessThan(8 * quarter.cpuMs);
  });
});
