import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from './steps.js';

export interface SliceOptions {
  /** Longest time that one slice takes, ms, give or take the last step in it. Infinity: all in one go. */
  readonly sliceMs?: number;
  /** Ends the computation at the next slice. */
  readonly signal?: AbortSignal | undefined;
}

/** A request that comes meanwhile waits for the half of it on the average. */
const DEFAULT_SLICE_MS = 2;

/**
 * Runs a long computation beside everything else that the thread does: after each slice the event loop takes a turn.
 *
 * @throws what the computation throws; the reason of `signal` once that is aborted, and then nothing more of it runs
 */
export async function inSlices<T>(steps: Steps<T>, { sliceMs = DEFAULT_SLICE_MS, signal }: SliceOptions = {}): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const endMs = performance.now() + sliceMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < endMs);
    await nextTurn();
  }
}
