import type { Random } from '../random.js';
import type { Scenario } from '../scenarios/scenario.js';

/** The node that a request goes to while nothing has happened to the fleet. */
export function pickNode({ nodes, spread }: Scenario, random: Random): number {
  const share = random();
  return Math.floor(nodes * (spread === 'skewed' ? share ** 3 : share));
}

/** Where its traffic goes, before or after the incident. */
export function aliveAt({ nodes, incident }: Scenario, node: number, after: boolean, random: Random): number {
  if (incident === 'failover') return (node % (nodes / 2)) + (after ? nodes / 2 : 0);
  if (incident === 'death' && after && node === 0) return 1 + Math.floor(random() * (nodes - 1));
  return node;
}
