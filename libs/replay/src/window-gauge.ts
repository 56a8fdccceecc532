import { algorithmFor, capacityOf, mulDivUp, type CounterState, type Quota } from '@sluice/algorithms';
import type { Counter } from './counter.js';
import { engineGauge } from './engine-gauge.js';
import type { Gauge } from './gauge.js';

/**
 * Windows of one count, or of two: `fixed_window`, and the plain `sliding_counter` that rules have by default. They are what most rules are, so their few numbers stand in the counter itself and are
 * changed in place: what the engine makes anew for each charge is most of what a replay of many keys costs. The arithmetic is that of `@sluice/algorithms`, to which all that is rare is left; a property
 * test holds both against the engine.
 */
export function gaugeFor(quota: Quota): Gauge {
  if (quota.algorithm === 'sliding_counter' && quota.subBuckets === 1) return windowGauge(slidingUse, slidingState, quota);
  if (quota.algorithm === 'fixed_window' && quota.calendar === undefined) return windowGauge(fixedUse, fixedState, quota);
  return engineGauge(quota.algorithm);
}

type Use = (counter: Counter, quota: Quota, atMs: number) => number;

function windowGauge(use: Use, stateOf: (counter: Counter, quota: Quota) => CounterState | undefined, { algorithm: name }: Quota): Gauge {
  const algorithm = algorithmFor(name);
  return {
    remaining: (counter, quota, atMs) => Math.max(0, capacityOf(quota) - use(counter, quota, clockOf(counter, quota, atMs))),
    take(counter, quota, permits, atMs) {
      const clockMs = clockOf(counter, quota, atMs);
      if (capacityOf(quota) - use(counter, quota, clockMs) >= permits) {
        charge(counter, quota, permits, clockMs);
        return true;
      }
      if (quota.chargeDenied) this.chargeDenial(counter, quota, permits, atMs);
      return false;
    },
    chargeDenial(counter, quota, cost, atMs) {
      const clockMs = clockOf(counter, quota, atMs);
      const room = Math.min(2 * capacityOf(quota), Number.MAX_SAFE_INTEGER) - use(counter, quota, clockMs);
      const charged = cost > capacityOf(quota) ? 0 : Math.min(cost, Math.max(0, room));
      if (charged > 0) charge(counter, quota, charged, clockMs);
      return charged > 0;
    },
    retryMs: (counter, quota, cost, atMs) => algorithm.peek(stateOf(counter, quota), quota, cost, atMs).retryMs,
  };
}

/** The counter's clock: that of the request, or what it has seen already where that steps back by no more than a window. */
function clockOf(counter: Counter, { windowMs }: Quota, atMs: number): number {
  const startMs = counter.index * windowMs;
  if (startMs <= atMs) return atMs;
  // Beyond that it was far off when this was written: then nothing of it counts, which is what a window of another number means to all below.
  return startMs <= atMs + windowMs ? startMs : atMs;
}

function charge(counter: Counter, { windowMs }: Quota, permits: number, clockMs: number): void {
  const index = Math.floor(clockMs / windowMs);
  if (index !== counter.index) {
    counter.before = index === counter.index + 1 ? counter.count : 0;
    counter.count = 0;
    counter.index = index;
  }
  counter.count += permits;
}

function fixedUse({ index, count }: Counter, { windowMs }: Quota, clockMs: number): number {
  return Math.floor(clockMs / windowMs) === index ? count : 0;
}

function slidingUse({ index: at, before, count }: Counter, { windowMs }: Quota, clockMs: number): number {
  const index = Math.floor(clockMs / windowMs);
  const oldest = index === at ? before : index === at + 1 ? count : 0;
  const whole = index === at ? count : 0;
  if (oldest === 0) return whole;
  return Math.min(Number.MAX_SAFE_INTEGER, mulDivUp(oldest, windowMs - (clockMs - index * windowMs), windowMs) + whole);
}

function fixedState({ index, count }: Counter, { windowMs }: Quota): CounterState | undefined {
  return index < 0 ? undefined : { algorithm: 'fixed_window', startMs: index * windowMs, used: count };
}

function slidingState({ index, before, count }: Counter): CounterState | undefined {
  return index < 0 ? undefined : { algorithm: 'sliding_counter', index, counts: [before, count] };
}
