/** How long a moment is when peaks are counted (R26). */
export const MOMENT_MS = 10;
/** How long after a roll a fleet that comes back together is looked for. */
export const AFTER_ROLL_MS = 100;

export interface Busiest {
  /** Script runs in a mean moment. */
  readonly mean: number;
  /** In the busiest moment of all, and in the busiest that began within {@link AFTER_ROLL_MS} of a roll. */
  readonly ever: number;
  readonly afterRoll: number;
  /** Moments, side by side, that were looked at after rolls. */
  readonly momentsAfterRolls: number;
}

/** Counts script runs (ascending) from `fromMs` to `untilMs` by moments; `sinceRollMs` says how long ago the last roll was. */
export function busiest(runs: readonly number[], fromMs: number, untilMs: number, bucketMs: number, sinceRollMs: (virtualMs: number) => number): Busiest {
  const counted = runs.filter((atMs) => atMs >= fromMs && atMs < untilMs);
  let ever = 0;
  let afterRoll = 0;
  let end = 0;
  counted.forEach((atMs, start) => {
    while (end < counted.length && (counted[end] ?? Infinity) < atMs + MOMENT_MS) end += 1;
    ever = Math.max(ever, end - start);
    if (sinceRollMs(atMs) < Math.min(AFTER_ROLL_MS, bucketMs)) afterRoll = Math.max(afterRoll, end - start);
  });
  const rolls = Math.floor((untilMs - fromMs) / bucketMs);
  return {
    mean: (counted.length * MOMENT_MS) / (untilMs - fromMs),
    ever,
    afterRoll,
    momentsAfterRolls: (rolls * Math.min(AFTER_ROLL_MS, bucketMs)) / MOMENT_MS,
  };
}
