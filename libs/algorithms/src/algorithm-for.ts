import type { Algorithm } from './algorithm.js';
import type { CounterState, StateOf } from './counter-state.js';
import { fixedWindow } from './fixed-window.js';
import { gcra } from './gcra.js';
import { leakyBucket } from './leaky-bucket.js';
import type { AlgorithmName } from './quota.js';
import { slidingCounter } from './sliding-counter.js';
import { slidingLog } from './sliding-log.js';
import { tokenBucket } from './token-bucket.js';

const own = <A extends AlgorithmName>(name: A) => (state: CounterState | undefined): state is StateOf<A> => state?.algorithm === name;

/**
 * Makes an algorithm take any counter's state. One that another algorithm wrote counts as absent, so that a change of
 * algorithm starts clean (R61), and is handed back as it was when nothing is charged (R7).
 */
function onAnyState<S extends CounterState>(algorithm: Algorithm<S>, isOwn: (state: CounterState | undefined) => state is S): Algorithm<CounterState> {
  return {
    take(state, quota, need, want, nowMs) {
      if (state === undefined || isOwn(state)) return algorithm.take(state, quota, need, want, nowMs);
      const taken = algorithm.take(undefined, quota, need, want, nowMs);
      return taken.state === undefined ? { ...taken, state } : taken;
    },
    peek: (state, quota, cost, nowMs) => algorithm.peek(isOwn(state) ? state : undefined, quota, cost, nowMs),
    charge(state, quota, amount, nowMs, onlyIfAbsent, bucket) {
      if (state === undefined || isOwn(state)) return algorithm.charge(state, quota, amount, nowMs, onlyIfAbsent, bucket);
      const charged = algorithm.charge(undefined, quota, amount, nowMs, onlyIfAbsent, bucket);
      return charged.state === undefined ? { ...charged, state } : charged;
    },
    usage: (state, quota, nowMs) => algorithm.usage(isOwn(state) ? state : undefined, quota, nowMs),
    refund: (state, quota, amount, bucket, nowMs) =>
      state === undefined || isOwn(state) ? algorithm.refund(state, quota, amount, bucket, nowMs) : { refunded: 0, state },
  };
}

const REGISTRY: Readonly<Record<AlgorithmName, Algorithm<CounterState>>> = {
  fixed_window: onAnyState(fixedWindow, own('fixed_window')),
  sliding_log: onAnyState(slidingLog, own('sliding_log')),
  sliding_counter: onAnyState(slidingCounter, own('sliding_counter')),
  token_bucket: onAnyState(tokenBucket, own('token_bucket')),
  leaky_bucket: onAnyState(leakyBucket, own('leaky_bucket')),
  gcra: onAnyState(gcra, own('gcra')),
};

/** The algorithm of that name, for stores that keep counters of every kind. */
export function algorithmFor(name: AlgorithmName): Algorithm<CounterState> {
  return REGISTRY[name];
}
