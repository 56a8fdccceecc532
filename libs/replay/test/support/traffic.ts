import type { ReplayRequest } from '../../src/index.js';

export interface Traffic {
  readonly keys: number;
  readonly spanMs: number;
  readonly requestsAKey: (key: number) => number;
  /** 0: evenly at random; else each minute's share of a key comes within so long. */
  readonly burstMs: number;
  /** How many costs there are, one more each; default 1. */
  readonly costs?: number;
  /** Default 1. */
  readonly leastCost?: number;
}

const START_MS = Date.UTC(2026, 10, 30);
const MINUTE_MS = 60_000;

/** A generator of numbers from 0 to below 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** All requests, in the order of time. */
export function streamOf({ keys, spanMs, requestsAKey, burstMs, costs = 1, leastCost = 1 }: Traffic, random: () => number): readonly ReplayRequest[] {
  const requests: ReplayRequest[] = [];
  for (let key = 0; key < keys; key += 1) {
    const attributes = { key_id: `k${key}`, plan: 'free' };
    for (let count = requestsAKey(key); count > 0; count -= 1) {
      const atMs = Math.floor(random() * spanMs);
      const burstAtMs = atMs - (atMs % MINUTE_MS) + ((key * 7_919) % (MINUTE_MS - burstMs)) + Math.floor(random() * burstMs);
      requests.push({ atMs: START_MS + (burstMs === 0 ? atMs : burstAtMs), attributes, cost: leastCost + (count % costs) });
    }
  }
  return requests.sort((a, b) => a.atMs - b.atMs);
}

/** What is left of it when each is recorded with the probability of the share. */
export function thinned(stream: readonly ReplayRequest[], share: number, random: () => number): readonly ReplayRequest[] {
  return stream.filter(() => random() < share).map((request) => ({ ...request, share }));
}
