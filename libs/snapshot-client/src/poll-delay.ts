/** How one poll went, as far as the time of the next one depends on it. */
export type PollResult =
  | { readonly kind: 'ok' }
  | { readonly kind: 'failed'; readonly retryAfterMs: number }
  | { readonly kind: 'unauthorized' };

export interface PollTiming {
  readonly pollMs: number;
  /** Share of a delay that is random: the delay is shortened by up to that much, so that a fleet spreads (R55). */
  readonly jitter: number;
  readonly random: () => number;
}

const FIRST_RETRY_MS = 250;
const UNAUTHORIZED_FACTOR = 4;
const UNAUTHORIZED_MIN_MS = 5_000;

/**
 * Ms until the next poll. Failures back off exponentially from 250 ms to the poll interval and are spread over half of it; a
 * refused token is tried a quarter as often as a good one polls.
 *
 * @param failures failed polls in a row, this one included
 */
export function pollDelayMs(result: PollResult, failures: number, timing: PollTiming): number {
  if (result.kind === 'ok') return spread(timing.pollMs, timing.jitter, timing);
  if (result.kind === 'unauthorized') return spread(Math.max(UNAUTHORIZED_MIN_MS, timing.pollMs * UNAUTHORIZED_FACTOR), timing.jitter, timing);
  const backoffMs = Math.min(timing.pollMs, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20));
  // The server's word counts, but a typo in it must not switch the poll off.
  return Math.max(spread(backoffMs, 0.5, timing), Math.min(result.retryAfterMs, timing.pollMs));
}

function spread(ms: number, share: number, { random }: PollTiming): number {
  return Math.round(ms * (1 - share * random()));
}
