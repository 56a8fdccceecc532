/**
 * The count that pure chance reaches: a Poisson stream with this mean a moment stays at or below it in all of `moments` moments with a
 * probability of 99.9 %. Where a mean moment holds half a script run, two in one moment prove nothing about a fleet that comes back together.
 * Ten moments are counted for each, since a peak is looked for at every start, not only side by side.
 */
export function chancePeak(mean: number, moments: number): number {
  const tolerated = 0.001 / Math.max(1, moments * 10);
  let probability = Math.exp(-mean);
  let above = 1 - probability;
  let count = 0;
  while (above > tolerated && count < 10 * mean + 100) {
    count += 1;
    probability *= mean / count;
    above -= probability;
  }
  return count;
}
