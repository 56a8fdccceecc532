import type { Random } from '../random.js';
import type { Scenario } from '../scenarios/scenario.js';
import type { Arrival } from './arrival.js';
import { bursty } from './bursty.js';
import { poisson } from './poisson.js';
import { aliveAt, pickNode } from './pick-node.js';

/** The requests of a scenario in order of time: one stream of the whole fleet, or where they are bursty one for each node. */
export function* arrivalsOf(scenario: Scenario, durationMs: number, random: Random): Generator<Arrival> {
  const { quota, keys = 1, load } = scenario;
  const ratePerMs = (load * keys * quota.limit) / (quota.window_seconds * 1000);
  const streams = scenario.arrivals === 'bursty' ? scenario.nodes : 1;
  const sources = Array.from({ length: streams }, (_, node) => {
    const moments = scenario.arrivals === 'bursty' ? bursty(random, ratePerMs / streams) : poisson(random, ratePerMs);
    return { node: streams === 1 ? undefined : node, moments, nextAtMs: moments.next().value };
  });
  for (;;) {
    let first = sources[0];
    for (const source of sources) if (first === undefined || source.nextAtMs < first.nextAtMs) first = source;
    if (first === undefined || first.nextAtMs >= durationMs) return;
    const atMs = first.nextAtMs;
    const node = first.node ?? pickNode(scenario, random);
    yield { atMs, node: aliveAt(scenario, node, atMs >= durationMs / 2, random), key: Math.floor(random() * keys) };
    first.nextAtMs = first.moments.next().value;
  }
}
