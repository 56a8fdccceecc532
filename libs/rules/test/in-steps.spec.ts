import fc from 'fast-check';
import {
  applyDelta,
  applyDeltaSteps,
  compileSnapshot,
  compileSnapshotSteps,
  inSlices,
  type Snapshot,
  snapshotChecksum,
  snapshotChecksumSteps,
  type SnapshotDelta,
  type Steps,
  validateDelta,
  validateDeltaSteps,
  validateSnapshot,
  validateSnapshotSteps,
} from '../src/index.js';
import { NOW, request, snapshot } from './arbitraries.js';

/** A turn of the event loop after each step. */
function apart<T>(steps: Steps<T>): Promise<T> {
  return inSlices(steps, { sliceMs: 0 });
}

function deltaBetween(from: Snapshot, to: Snapshot): SnapshotDelta {
  const gone = <T>(before: readonly T[], after: readonly T[], idOf: (item: T) => string): string[] => before.map(idOf).filter((id) => !after.some((item) => idOf(item) === id));
  return {
    since: from.version,
    version: to.version,
    rules: to.rules,
    deleted_rules: gone(from.rules, to.rules, ({ rule_id }) => rule_id),
    plans: to.plans,
    deleted_plans: gone(from.plans, to.plans, ({ plan_id }) => plan_id),
    overrides: to.overrides,
    deleted_overrides: gone(from.overrides, to.overrides, ({ override_id }) => override_id),
  };
}

/** Now and then something that is not valid. */
const spoiling = fc.constantFrom<Partial<Record<keyof Snapshot, unknown>>>({}, {}, { version: -1 }, { plans: [] }, { rules: 7 }, { overrides: [{}] });

describe('R56 in steps everything is what it is in one go', () => {
  it('for a whole snapshot', async () => {
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(snapshot, spoiling, fc.array(request, { maxLength: 10 }), async (good, spoilt, requests) => {
        const json: unknown = JSON.parse(JSON.stringify({ ...good, ...spoilt }));
        const checked = validateSnapshot(json);
        expect(await apart(validateSnapshotSteps(json))).toEqual(checked);
        if (!checked.ok) return;
        valid += 1;
        expect(await apart(snapshotChecksumSteps(checked.value))).toBe(snapshotChecksum(checked.value));
        const index = compileSnapshot(checked.value);
        const sliced = await apart(compileSnapshotSteps(checked.value));
        for (const attributes of requests) expect(sliced.match(attributes, NOW)).toEqual(index.match(attributes, NOW));
      }),
      { seed: 7, numRuns: 240 },
    );
    expect(valid).toBeGreaterThan(50);
  });

  it('for changes, overrides that come and go among them', async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(snapshot, snapshot, fc.boolean(), async (from, next, spoil) => {
        const to = { ...next, version: 2 };
        const json: unknown = JSON.parse(JSON.stringify({ ...deltaBetween(from, to), ...(spoil ? { since: 0, deleted_rules: [7] } : {}) }));
        const delta = validateDelta(json);
        expect(await apart(validateDeltaSteps(json))).toEqual(delta);
        if (!delta.ok) return;
        const result = applyDelta(from, delta.value);
        expect(await apart(applyDeltaSteps(from, delta.value))).toEqual(result);
        if (!result.ok) return;
        applied += 1;
        expect(snapshotChecksum(result.value)).toBe(snapshotChecksum(to));
      }),
      { seed: 8, numRuns: 200 },
    );
    expect(applied).toBeGreaterThan(50);
  });
});

describe('R56 no step of a large snapshot is long', () => {
  const rules = Array.from({ length: 5_000 }, (_, at) => ({
    ...{ rule_id: `r${at}`, version: 1, limit: 5, window_seconds: 1, plan: `p${at % 20}`, endpoint: `GET /area${Math.floor(at / 20)}/{id}` },
    ...(at % 3 === 0 ? { descriptors: { tenant_id: `t${at}` } } : {}),
  }));
  const large: Snapshot = {
    version: 1,
    plans: Array.from({ length: 20 }, (_, at) => ({ plan_id: `p${at}` })),
    rules,
    overrides: Array.from({ length: 10_000 }, (_, at) => ({ override_id: `o${at}`, rule_id: `r${at % 5_000}`, key_id: `k${at}`, limit: 9, expires_at: '2027-06-01T00:00:00Z' })),
  };

  it.each<[string, () => Steps<unknown>, number]>([
    ['validate', () => validateSnapshotSteps(large), 15_000 / 16],
    ['compile', () => compileSnapshotSteps(large), 15_000 / 16],
    ['checksum', () => snapshotChecksumSteps(large), 15_000 / 16],
    ['apply changes', () => applyDeltaSteps(large, { ...deltaBetween(large, { ...large, version: 2 }), rules: [], overrides: large.overrides.slice(0, 1) }), 10_000 / 16],
  ])('%s', (_what, make, least) => {
    const steps = (run: Steps<unknown>): number[] => {
      const lengths: number[] = [];
      for (let startMs = performance.now(); run.next().done !== true; startMs = performance.now()) lengths.push(performance.now() - startMs);
      return lengths;
    };
    const rounds = [steps(make()), steps(make()), steps(make()), steps(make()), steps(make())];
    const [first = []] = rounds;
    expect(first.length).toBeGreaterThan(least);
    // The shortest of five rounds: what else the machine does falls on one or the other.
    const longest = Math.max(...first.map((_, at) => Math.min(...rounds.map((lengths) => lengths[at] ?? Infinity))));
    expect(longest).toBeLessThan(2);
  });
});
