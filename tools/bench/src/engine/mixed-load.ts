import { engineSubject } from './subject.js';
import { load, threadNs } from './measure.js';

const KEYS = 100_000;
/** Every so many decisions of a key its lease is used up: one in a hundred needs a trip. */
const LEASE = 100;
const SLICE = 50_000;

/**
 * Decisions a second on one core, 100k keys in random order, of which 99 in 100 find a permit and one goes to the store. Nothing waits
 * between them, so no key falls idle.
 */
export async function mixedLoad(decisions: number): Promise<string> {
  const { ids, order } = load(KEYS, decisions);
  const subject = engineSubject(KEYS, LEASE);
  for (let at = 0; at < KEYS; at += 1) subject.decide(ids[at] ?? '', 1 + (at % LEASE));
  const before = subject.stats();
  let best = Infinity;
  let spentNs = 0;
  for (let from = 0; from < order.length; from += SLICE) {
    const until = Math.min(from + SLICE, order.length);
    const start = threadNs();
    for (let at = from; at < until; at += 1) subject.decide(ids[order[at] ?? 0] ?? '');
    const ns = threadNs() - start;
    spentNs += ns;
    best = Math.min(best, ns / (until - from));
  }
  const after = subject.stats();
  await subject.close();
  const trips = (100 * (after.trips - before.trips)) / decisions;
  return `mixed: 100k keys, ${trips.toFixed(2)} % of the decisions on a trip to the store: ${perSecond(1 / best)} decisions/s in the best slice, ${perSecond(decisions / spentNs)} over all`;
}

function perSecond(perNs: number): string {
  return `${Math.round(perNs * 1e6)}k`;
}
