import type { Scenario } from './scenario.js';

const BUSY = { limit: 10_000, window_seconds: 1 };
const MINUTE = { limit: 1000, window_seconds: 60 };
const HUNDRED = { limit: 100, window_seconds: 1 };

/** What happens to fleets, and how traffic comes otherwise than evenly at random. */
export const INCIDENT_SCENARIOS: readonly Scenario[] = [
  { name: 'failover 10000/s 25 to 25 nodes 90 %', quota: BUSY, nodes: 50, load: 0.9, windows: 12, shortWindows: 8, incident: 'failover', goals: { ofExact: 0.98, rollPeak: 3 } },
  { name: 'failover 10000/s 25 to 25 nodes 150 %', quota: BUSY, nodes: 50, load: 1.5, windows: 12, incident: 'failover', goals: { ofDemand: 0.97 } },
  { name: 'failover 1000/60s 25 to 25 nodes 105 %', quota: MINUTE, nodes: 50, load: 1.05, windows: 12, incident: 'failover', goals: { ofExact: 0.98, rollPeak: 3 } },
  { name: 'death of 1 of 3 nodes 10000/s 90 %', quota: BUSY, nodes: 3, load: 0.9, windows: 12, shortWindows: 8, incident: 'death', goals: { ofExact: 0.98, lost: 0.02 } },
  { name: 'death of 1 of 3 nodes 10000/s 150 %', quota: BUSY, nodes: 3, load: 1.5, windows: 12, incident: 'death', goals: { ofDemand: 0.97, lost: 0.02 } },
  { name: 'death of 1 of 50 nodes 1000/60s 6000 %', quota: MINUTE, nodes: 50, load: 60, windows: 4, incident: 'death', goals: { ofDemand: 0.97, lost: 0.02 } },
  { name: 'bursts 10000/s 50 nodes 90 %', quota: BUSY, nodes: 50, load: 0.9, windows: 22, shortWindows: 8, arrivals: 'bursty', goals: { ofExact: 0.98, rollPeak: 3 } },
  { name: 'bursts 10000/s 50 nodes 150 %', quota: BUSY, nodes: 50, load: 1.5, windows: 22, arrivals: 'bursty', goals: { ofDemand: 0.97 } },
  { name: 'bursts 1000/60s 50 nodes 105 %', quota: MINUTE, nodes: 50, load: 1.05, windows: 12, arrivals: 'bursty', goals: { ofExact: 0.98, rollPeak: 3 } },
  { name: '200 keys 100/s 10 nodes 105 %', quota: HUNDRED, nodes: 10, keys: 200, load: 1.05, windows: 6, shortWindows: 4, goals: { ofExact: 0.98, rollPeak: 3 } },
  { name: '200 keys 100/s 10 nodes 150 %', quota: HUNDRED, nodes: 10, keys: 200, load: 1.5, windows: 6, goals: { ofDemand: 0.97, rollPeak: 3 } },
];
