import type { QuotaJson, Snapshot } from '@sluice/rules';
import { createReplay, type ReplayReport, type ReplayRequest } from '../src/index.js';
import { columnsOf } from './support/columns-of.js';
import { randomFrom, streamOf, thinned, type Traffic } from './support/traffic.js';

/** How often each stream is sampled. */
const ROUNDS = 40;
/** Below what the interval says, by as much as chance takes off so many rounds: P(X <= 34) of 40 at 0.95 is about 1 %. */
const LEAST_COVERED = 35 / ROUNDS;

const counted = (quota: QuotaJson): Snapshot => ({ version: 1, plans: [], overrides: [], rules: [{ rule_id: 'r', version: 1, ...quota }] });

/** Keys from a quarter of the limit of 600 a minute to twice it. */
const MIXED: Traffic = { keys: 8, spanMs: 180_000, requestsAKey: (key) => 450 * (key + 1), burstMs: 0 };
/** All keys at the very limit, where an estimate leans the most. */
const EDGE: Traffic = { keys: 8, spanMs: 180_000, requestsAKey: () => 1_800, burstMs: 0 };
/** Bursts of a second each, which one event in a hundred does not show. */
const BURSTS: Traffic = { keys: 8, spanMs: 180_000, requestsAKey: (key) => 500 + 200 * key, burstMs: 1_000 };
/** A limit below what one event stands for. */
const FEW: Traffic = { keys: 600, spanMs: 180_000, requestsAKey: (key) => 1 + (key % 24), burstMs: 0 };

const CASES: readonly (readonly [name: string, traffic: Traffic, quota: QuotaJson])[] = [
  ['fixed window, mixed', MIXED, { algorithm: 'fixed_window', limit: 600, window_seconds: 60 }],
  ['sliding counter, mixed', MIXED, { limit: 600, window_seconds: 60 }],
  ['sliding log, mixed', MIXED, { algorithm: 'sliding_log', limit: 600, window_seconds: 60 }],
  ['token bucket, mixed', MIXED, { algorithm: 'token_bucket', limit: 600, window_seconds: 60 }],
  ['fixed window, at the limit', EDGE, { algorithm: 'fixed_window', limit: 600, window_seconds: 60 }],
  ['token bucket of a tenth of the limit, at the limit', EDGE, { algorithm: 'token_bucket', limit: 600, burst: 60, window_seconds: 60 }],
  ['gcra, bursts', BURSTS, { algorithm: 'gcra', limit: 600, burst: 100, window_seconds: 60 }],
  ['sliding counter, bursts', BURSTS, { limit: 300, window_seconds: 60 }],
  ['sliding counter, costs of 1 to 5', { ...MIXED, costs: 5 }, { limit: 1_500, window_seconds: 60 }],
  ['fixed window of five, few requests', FEW, { algorithm: 'fixed_window', limit: 5, window_seconds: 60 }],
];

function replayed(snapshot: Snapshot, requests: readonly ReplayRequest[]): ReplayReport {
  const replay = createReplay({ rules: snapshot });
  replay.decideColumns(columnsOf(requests));
  return replay.report({ brief: true });
}

describe('R59 what a sample says of refusals, and how sure it is', () => {
  it.each(CASES)('%s: the truth lies in the interval as often as stated, at shares of 0.1 and 0.01', (_name, traffic, quota) => {
    const snapshot = counted(quota);
    const random = randomFrom(59);
    const stream = streamOf(traffic, random);
    const truth = replayed(snapshot, stream).total;
    for (const share of [0.1, 0.01]) {
      let covered = 0;
      let requests = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const { total } = replayed(snapshot, thinned(stream, share, random));
        const { at_least, at_most } = total.interval;
        if (at_least <= truth.refused && truth.refused <= at_most) covered += 1;
        if (Math.abs(total.requests - truth.requests) <= 1.96 * total.standard_error) requests += 1;
      }
      expect(covered / ROUNDS).toBeGreaterThanOrEqual(LEAST_COVERED);
      // A normal interval of few events, which is a little too narrow.
      expect(requests / ROUNDS).toBeGreaterThanOrEqual(0.8);
    }
  });

  it('says something: of counters plainly over their limit the interval is narrow, of bursts below what is resolved it says that it cannot tell', () => {
    const random = randomFrom(7);
    const snapshot = counted({ algorithm: 'fixed_window', limit: 600, window_seconds: 60 });
    const over: Traffic = { keys: 8, spanMs: 180_000, requestsAKey: () => 6_000, burstMs: 0 };
    const { total } = replayed(snapshot, thinned(streamOf(over, random), 0.1, random));
    expect(total.interval.at_most - total.interval.at_least).toBeLessThan(0.1 * total.refused);
    expect(total.interval.unresolved).toBe(0);
    const bursts = replayed(counted({ algorithm: 'gcra', limit: 600, burst: 20, window_seconds: 60 }), thinned(streamOf(BURSTS, random), 0.01, random));
    expect(bursts.total.interval.unresolved).toBeGreaterThan(0.5 * bursts.total.refused);
    expect(bursts.total.interval.at_least).toBeLessThan(0.5 * bursts.total.refused);
  });

  it('two limits together: the truth lies in the interval of the sum', () => {
    const random = randomFrom(11);
    const snapshot: Snapshot = {
      version: 1,
      plans: [],
      overrides: [],
      rules: [
        { rule_id: 'minute', version: 1, limit: 600, window_seconds: 60 },
        { rule_id: 'all', version: 1, policy: 'all', count_by: ['plan'], limit: 1_500, window_seconds: 10, algorithm: 'token_bucket' },
      ],
    };
    const stream = streamOf(MIXED, random);
    const truth = replayed(snapshot, stream).total.refused;
    let covered = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { interval } = replayed(snapshot, thinned(stream, 0.1, random)).total;
      if (interval.at_least <= truth && truth <= interval.at_most) covered += 1;
    }
    expect(covered / ROUNDS).toBeGreaterThanOrEqual(LEAST_COVERED);
  });

  it('is the same by columns as by values', () => {
    const random = randomFrom(5);
    const stream = thinned(streamOf({ ...MIXED, costs: 5 }, random), 0.1, random);
    for (const quota of [{ limit: 900, window_seconds: 60 }, { algorithm: 'gcra', limit: 900, burst: 90, window_seconds: 60 }] as const) {
      const byValues = createReplay({ rules: counted(quota) });
      for (const request of stream) byValues.decide({ ...request, wasAllowed: true });
      expect(replayed(counted(quota), stream)).toEqual(byValues.report({ brief: true }));
    }
  });

  it('of no event at all of a kind it does not say that there were none', () => {
    const replay = createReplay({ rules: counted({ limit: 2, window_seconds: 60 }) });
    replay.decide({ atMs: 1_000, attributes: { key_id: 'a' }, cost: 1, share: 0.01 });
    expect(replay.report().total.interval.at_most).toBeGreaterThan(100);
  });
});
