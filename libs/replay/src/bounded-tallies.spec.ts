import fc from 'fast-check';
import { createReplay } from './replay.js';

const MOST = 20;

describe('R59 sums by name within a bound', () => {
  it('says how much may be missing, and never lists more than there was', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 199 }).map((n) => Math.floor(n ** 2 / 400)), { minLength: 100, maxLength: 600, size: 'max' }), (keys) => {
        const replay = createReplay({ rules: { version: 1, plans: [], overrides: [], rules: [{ rule_id: 'r', version: 1, limit: 1, window_seconds: 600, algorithm: 'fixed_window' }] }, mostNames: MOST });
        const truth = new Map<string, number>();
        const seen = new Set<string>();
        keys.forEach((key, at) => {
          const key_id = `k${key}`;
          const { allowed } = replay.decide({ atMs: 600_000 + at, attributes: { key_id }, cost: 1 });
          expect(allowed).toBe(!seen.has(key_id));
          seen.add(key_id);
          if (!allowed) truth.set(key_id, (truth.get(key_id) ?? 0) + 1);
        });
        const { keys: listed, unlisted_at_most, total } = replay.report();
        expect(listed.length).toBeLessThanOrEqual(MOST);
        expect(total.refused).toBe(keys.length - seen.size);
        for (const { name, refused, missing_at_most } of listed) {
          const true_ = truth.get(name) ?? 0;
          expect(refused).toBeLessThanOrEqual(true_);
          expect(true_).toBeLessThanOrEqual(refused + missing_at_most);
        }
        const names = new Set(listed.map(({ name }) => name));
        for (const [name, refused] of truth) if (!names.has(name)) expect(refused).toBeLessThanOrEqual(unlisted_at_most.keys);
        if (seen.size <= MOST) expect(unlisted_at_most.keys).toBe(0);
      }),
      { seed: 20, numRuns: 40 },
    );
  });
});
