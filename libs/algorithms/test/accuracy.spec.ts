import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accuracyOf, type AccuracyRow } from './support/accuracy.js';

const README = join(import.meta.dirname, '../README.md');

const rows: readonly AccuracyRow[] = [
  accuracyOf('fixed_window', { algorithm: 'fixed_window' }),
  accuracyOf('sliding_log', { algorithm: 'sliding_log' }),
  ...[1, 2, 4, 10, 60].map((subBuckets) => accuracyOf(`sliding_counter, k = ${subBuckets}`, { subBuckets })),
  accuracyOf('token_bucket', { algorithm: 'token_bucket' }),
  accuracyOf('gcra, burst = limit / 10', { algorithm: 'gcra', burst: 60 }),
];

/** The rows as the README has them. */
function markdown(): string {
  return rows
    .map(({ name, steady, randomBursts, evenBursts, adversary, longRun }) =>
      ['', name, ...[steady, randomBursts, evenBursts, adversary, longRun].map((value) => value.toFixed(1)), ''].join(' | ').trim(),
    )
    .join('\n');
}

describe('R2 accuracy', () => {
  it('is what the README says, measured', () => {
    expect(readFileSync(README, 'utf8')).toContain(markdown());
  });

  it.each(rows)('$name stays within what it promises', ({ name, adversary, evenBursts, randomBursts, steady }) => {
    const k = Number(/k = (\d+)/.exec(name)?.[1] ?? NaN);
    const promised = name === 'sliding_log' ? 100 : Number.isNaN(k) ? 200 : 100 + 100 / k;
    expect(Math.max(adversary, evenBursts, randomBursts, steady)).toBeLessThanOrEqual(Math.ceil(promised * 10) / 10);
  });
});
