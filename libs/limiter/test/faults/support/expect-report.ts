import type { FaultReport } from './run-fault.js';
import { isTroubled } from './sample.js';
import { MAX_LEASE, STREAMS, TIGHT_LIMIT } from './streams.js';

const YEAR_MS = 31_622_400_000;
/** What a busy machine may add to the wait for an answer, ms. */
const SLACK_MS = 150;
/** Accounted counters, on each of which a node may hold a lease: the leased rule's, one a key. */
const LEASED_KEYS = 4;

/** Permits that the loss or the doubling of one lease a node and counter comes to. */
export function oneLeaseEach({ nodes }: FaultReport): number {
  return nodes.length * LEASED_KEYS * MAX_LEASE;
}

/**
 * What is charged for nobody: of a counter with leases one lease a node, of others what a node asks until it gives the store up (what is
 * asked in the time of one answer, and five trips), and then two probes a second.
 */
export function expectLittleLost(report: FaultReport): void {
  const { lost, lostUnleased, nodes, faultMs } = report;
  expect(lost).toBeLessThanOrEqual(oneLeaseEach(report));
  expect(lostUnleased).toBeLessThanOrEqual(nodes.length * (50 + (4 * faultMs) / 1000));
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
export function expectNoFallback({ nodes, sources }: FaultReport): void {
  expect([sources.fallback, sources.unavailable]).toEqual([0, 0]);
  for (const { opened } of nodes) expect(opened).toBe(0);
}

/** R23, R42: neither before nor after the fault did the counters admit more than the limit. */
export function expectWithinLimit({ mostByStore }: FaultReport): void {
  expect(mostByStore).toBeLessThanOrEqual(TIGHT_LIMIT * 1.5);
}
