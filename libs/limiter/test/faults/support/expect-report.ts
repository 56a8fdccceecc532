import type { FaultReport } from './run-fault.js';
import { isTroubled, type Sample } from './sample.js';
import { MAX_LEASE, STREAMS, TIGHT_LIMIT, type Stream } from './streams.js';

const YEAR_MS = 31_622_400_000;
/** What a busy machine may add to the wait for an answer, ms. */
const SLACK_MS = 150;
/** Permits that a request of each stream without leases asks for. */
const PERMITS: Partial<Record<Stream['name'], number>> = { exact: 1, login: 1, pair: 2 };
/** A busy machine makes an answer late now and then. */
export const NOISE = 0.02;
/** Accounted counters, on each of which a node may hold a lease: the leased rule's, one a key. */
const LEASED_KEYS = 4;

/** Permits that the loss or the doubling of one lease a node and counter comes to. */
export function oneLeaseEach({ nodes }: FaultReport): number {
  return nodes.length * LEASED_KEYS * MAX_LEASE;
}

/**
 * Known failure 26: what is charged for nobody is one lease a node and counter; of counters without leases, what was asked in vain, once.
 * @param askedMs how long a decision took at least for which the store was asked.
 */
export function expectChargedOnce(report: FaultReport, askedMs = 0): void {
  const { samples, lost, lostUnleased } = report;
  const inVain = samples.filter((sample) => isTroubled(sample) && sample.tookMs >= askedMs).reduce((sum, { stream }) => sum + (PERMITS[STREAMS[stream]?.name ?? 'tight'] ?? 0), 0);
  expect(lost - lostUnleased).toBeLessThanOrEqual(samples.some(isTroubled) ? oneLeaseEach(report) : 0);
  // A few that were in the air when the fault ended.
  expect(lostUnleased).toBeLessThanOrEqual(inVain + (askedMs > 0 ? 4 * report.nodes.length : 0));
}

/**
 * The store was given up soon, so little was asked in vain: what a node asks in the time of one answer, five trips, and then two probes
 * a second.
 */
export function expectLittleLost(report: FaultReport): void {
  const { lostUnleased, nodes, faultMs } = report;
  expectChargedOnce(report);
  expect(lostUnleased).toBeLessThanOrEqual(nodes.length * (50 + (4 * faultMs) / 1000));
}

/** Answers came, if late: what they granted has gone back. A busy machine may still lose a lease. */
export function expectLateReturned({ lost }: FaultReport): void {
  expect(lost).toBeLessThanOrEqual(MAX_LEASE);
}

/** What holds under every fault, whatever it is. */
export function expectSound(report: FaultReport): void {
  const { samples, latency, timeoutMs, lagMs, immortal, longestTtlMs } = report;
  // R40: no decision waits longer than for one answer; a busy machine may be late.
  expect(latency.worst).toBeLessThan(timeoutMs + 2 * lagMs + SLACK_MS);
  // R41: a rule that denies never passes by the fallback, and one that allows never refuses for want of the store.
  const outcomes = (name: string): Set<string> =>
    new Set(samples.filter((sample) => isTroubled(sample) && STREAMS[sample.stream]?.name === name).map(({ outcome }) => outcome));
  for (const name of ['leased', 'exact', 'pair']) expect([...outcomes(name)].filter((outcome) => outcome !== 'allowed')).toEqual([]);
  expect([...outcomes('login')].filter((outcome) => outcome !== 'unavailable')).toEqual([]);
  expect([...outcomes('tight')].filter((outcome) => outcome === 'unavailable')).toEqual([]);
  // R41: together the nodes stay within the limit by the fallback too (five sub-buckets let a fifth more through).
  expect(report.mostByFallback).toBeLessThanOrEqual(TIGHT_LIMIT * 1.5);
  // R12: no key without an end.
  expect(immortal).toEqual([]);
  expect(longestTtlMs).toBeLessThanOrEqual(2 * YEAR_MS + 60_000);
  expect(report.keys).toBeGreaterThan(0);
}

/** Each node gave the store up and took it up again, and what there was to decide meanwhile was decided. */
export function expectFallback({ nodes, sources }: FaultReport): void {
  expect(sources.fallback).toBeGreaterThan(0);
  expect(sources.unavailable).toBeGreaterThan(0);
  for (const { opened, closed } of nodes) expect([opened > 0, opened]).toEqual([true, closed]);
}

/** The store was there throughout. */
export function expectNoFallback(report: FaultReport): void {
  expect(share(report.samples, isTroubled)).toBeLessThan(NOISE);
  expectChargedOnce(report);
}

/** Of the samples, those of which it holds. */
export function share(samples: readonly Sample[], holds: (sample: Sample) => boolean): number {
  return samples.filter(holds).length / samples.length;
}

/** R23, R42: neither before nor after the fault did the counters admit more than the limit. */
export function expectWithinLimit({ mostByStore }: FaultReport): void {
  expect(mostByStore).toBeLessThanOrEqual(TIGHT_LIMIT * 1.5);
}
