import { type Decision, type LeaseSizing, memoryStore } from '@sluice/limiter';
import { compileSnapshot, type RuleIndex } from '@sluice/rules';
import type { Arrival } from '../arrivals/arrival.js';
import { arrivalsOf } from '../arrivals/arrivals-of.js';
import { seeded, type Random } from '../random.js';
import type { Scenario } from '../scenarios/scenario.js';
import { SkewedClock } from '../time/skewed-clock.js';
import { microtasks, VirtualTime } from '../time/virtual-time.js';
import { FleetNode } from './fleet-node.js';
import { type Latency, RemoteStore } from './remote-store.js';
import type { RequestRecord } from './request-record.js';
import { StoreLog } from './store-log.js';

const LATENCY: Latency = { leastMs: 0.2, mostMs: 0.6 };
/** Clocks of nodes are wrong by up to so much, the store's by a fixed amount: neither may matter (R6). */
const NODE_SKEW_MS = 5000;
const STORE_SKEW_MS = -1234;
/** How long the fleet is watched after the last request: long enough for what is in the air, and for idle leases to go back. */
const AFTERMATH_MS = 2000;

export interface SimulateOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly sizing: (random: Random) => LeaseSizing;
}

/** Everything that was seen in one run. */
export interface Run {
  readonly requests: readonly RequestRecord[];
  readonly log: StoreLog;
  readonly storeClock: SkewedClock;
  /** Permits that a dying node took along. */
  readonly lost: number;
}

/** Runs a scenario on the real engine, from the first request on until all are decided. The same seed gives the same run. */
export async function simulate(scenario: Scenario, { seed, durationMs, sizing }: SimulateOptions): Promise<Run> {
  const time = new VirtualTime();
  const random = seeded(seed);
  const storeClock = new SkewedClock(time, STORE_SKEW_MS);
  const counters = memoryStore(storeClock);
  const log = new StoreLog();
  const rules = rulesOf(scenario);
  const nodes = Array.from({ length: scenario.nodes }, (_, at) => {
    const own = seeded(seed * 1000 + at + 1);
    const store = new RemoteStore({ time, random: own, latency: LATENCY, counters, log });
    const clock = new SkewedClock(time, (own() * 2 - 1) * NODE_SKEW_MS);
    return new FleetNode(store, clock, rules, sizing(own), own, scenario.nodes, `node-${at}`);
  });
  const requests: RequestRecord[] = [];
  const victim = scenario.incident === 'death' ? nodes[0] : undefined;
  if (victim !== undefined) time.after(durationMs / 2, () => victim.die());
  for (const arrival of arrivalsOf(scenario, durationMs, random)) {
    await time.run(arrival.atMs);
    const node = nodes[arrival.node];
    if (node !== undefined && arrive(node, arrival, time, requests)) await microtasks();
  }
  await time.run(durationMs + AFTERMATH_MS);
  const lost = victim === undefined ? 0 : victim.store.charged - victim.admitted;
  return { requests, log, storeClock, lost };
}

/** Puts a request to a node; true when the answer has to be waited for. */
function arrive(node: FleetNode, { atMs, key }: Arrival, time: VirtualTime, requests: RequestRecord[]): boolean {
  const record: RequestRecord = { arrivedAtMs: atMs, key, allowed: false, local: true, decidedAtMs: NaN };
  requests.push(record);
  const settle = ({ allowed }: Decision, decidedAtMs: number): void => {
    record.allowed = allowed;
    record.decidedAtMs = decidedAtMs;
    if (allowed) node.admitted += 1;
  };
  const answer = node.limiter.check({ key_id: `k${key}` });
  if (!(answer instanceof Promise)) {
    settle(answer, time.nowMs);
    return false;
  }
  record.local = false;
  void answer.then((decision) => settle(decision, node.store.decidedAtMs));
  return true;
}

function rulesOf({ quota, consistency = 'leased', shards = 1 }: Scenario): RuleIndex {
  return compileSnapshot({ version: 1, plans: [], rules: [{ rule_id: 'r', version: 1, consistency, shards, ...quota }], overrides: [] });
}
