import { exponential, type Random } from '../random.js';

const ON_MS = 500;
const CYCLE_MS = 2000;

/** Moments of a stream with that mean rate, all of which comes in bursts of half a second every two seconds, at random phases. */
export function* bursty(random: Random, ratePerMs: number): Generator<number> {
  const phaseMs = random() * CYCLE_MS;
  const meanGapMs = ON_MS / CYCLE_MS / ratePerMs;
  // Time that only runs while the stream is on.
  for (let onMs = exponential(random, meanGapMs); ; onMs += exponential(random, meanGapMs)) {
    yield Math.floor(onMs / ON_MS) * CYCLE_MS + (onMs % ON_MS) + phaseMs;
  }
}
