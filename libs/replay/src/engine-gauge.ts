import { algorithmFor, type AlgorithmName } from '@sluice/algorithms';
import type { Gauge } from './gauge.js';

/** The engine's own functions over a state that is never changed, a new one for each charge. */
export function engineGauge(name: AlgorithmName): Gauge {
  const algorithm = algorithmFor(name);
  const take: Gauge['take'] = (counter, quota, permits, atMs) => {
    const { outcome, state } = algorithm.take(counter.state, quota, permits, permits, atMs);
    counter.state = state;
    return outcome.granted > 0;
  };
  return {
    take,
    remaining: ({ state }, quota, atMs) => algorithm.peek(state, quota, 1, atMs).remaining,
    chargeDenial(counter, quota, cost, atMs) {
      const { state } = counter;
      take(counter, quota, cost, atMs);
      return counter.state !== state;
    },
    retryMs: ({ state }, quota, cost, atMs) => algorithm.peek(state, quota, cost, atMs).retryMs,
  };
}
