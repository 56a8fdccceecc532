import type { DecisionStore } from '../store/decision-store.js';
import { HOUR_MS } from '../store/duckdb/hours.js';
import { KEYS, keyName, type MadeHour } from './make-history.js';

/** Ms of the median and of the slowest in a hundred. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** The question of an explain: one key, ten minutes of one hour. */
export async function measureFind(store: DecisionStore, { hourMs }: Pick<MadeHour, 'hourMs'>, rounds: number): Promise<Latency> {
  return latencyOf(rounds, (key) => {
    const fromMs = hourMs + (key % 50) * 60_000;
    return store.find({ fromMs, toMs: fromMs + 600_000, attributes: { key_id: keyName(key) } }, 50);
  });
}

/** Usage of one key by rule and minute, over all hours of the history. */
export async function measureUsage(store: DecisionStore, hours: readonly MadeHour[], rounds: number): Promise<Latency> {
  const filter = { fromMs: hours[0]?.hourMs ?? 0, toMs: (hours.at(-1)?.hourMs ?? 0) + HOUR_MS };
  return latencyOf(rounds, (key) => store.aggregate({ filter: { ...filter, attributes: { key_id: keyName(key) } }, groupBy: ['rule_id'], bucketMs: 60_000, limit: 10_000 }));
}

/** Sums over all events of one hour: nothing can be left out. */
export async function measureTop(store: DecisionStore, { hourMs }: Pick<MadeHour, 'hourMs'>, rounds: number): Promise<Latency> {
  return latencyOf(rounds, () => store.aggregate({ filter: { fromMs: hourMs, toMs: hourMs + HOUR_MS }, groupBy: ['key_id'], orderBy: 'refused', limit: 20 }));
}

async function latencyOf(rounds: number, ask: (key: number) => Promise<readonly unknown[]>): Promise<Latency> {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now();
    found += (await ask((round * 4_999 + 17) % KEYS)).length;
    times.push(performance.now() - startedMs);
  }
  if (found === 0) throw new Error('nothing of the history was found');
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
