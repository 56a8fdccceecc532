/** The node's clock: integer ms since the epoch that never steps back. Injected, so that tests own time. */
export interface Clock {
  nowMs(): number;
}

/** Anchored once to the wall clock, then monotonic: an adjusted system clock can neither revive nor kill a lease (R10). */
export function systemClock(): Clock {
  const anchorMs = Date.now() - performance.now();
  return { nowMs: () => Math.floor(anchorMs + performance.now()) };
}
