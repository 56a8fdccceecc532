import { MAX_FAULTS } from './fault-list.js';
import type { Steps } from './steps.js';
import { validateDeltaSteps } from './snapshot-delta.js';
import { validateRule, validateSnapshotSteps } from './validate.js';
import type { Validated } from './fault.js';

const RULE = { rule_id: 'r', version: 1, limit: 5, window_seconds: 1 };
const NOTHING = { since: 1, version: 2, rules: [], deleted_rules: [], plans: [], deleted_plans: [], overrides: [], deleted_overrides: [] };
const MANY = 200_000;

/** What it comes to, and in how many steps. */
function counted<T>(steps: Steps<Validated<T>>): { readonly faults: number; readonly steps: number } {
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done === true) return { faults: step.value.ok ? 0 : step.value.faults.length, steps: count };
  }
}

describe('R56 a document with any number of faults', () => {
  it.each<[string, () => Steps<Validated<unknown>>]>([
    ['items that are none', () => validateSnapshotSteps({ version: 6, plans: [], rules: Array(MANY).fill(0), overrides: [] })],
    ['empty items', () => validateSnapshotSteps({ version: 6, plans: [], rules: [], overrides: Array(MANY).fill({}) })],
    ['ids that are none', () => validateDeltaSteps({ ...NOTHING, deleted_rules: Array(MANY).fill('') })],
  ])('is read until there are enough: %s', (_what, make) => {
    const { faults, steps } = counted(make());
    expect(faults).toBe(MAX_FAULTS);
    expect(steps).toBeLessThan(MAX_FAULTS);
  });

  it('keeps the first of what is wrong between its parts', () => {
    const rules = Array.from({ length: 1_000 }, (_, at) => ({ ...RULE, rule_id: `r${at}`, plan: 'none' }));
    const { faults } = counted(validateSnapshotSteps({ version: 6, plans: [], rules, overrides: [] }));
    expect(faults).toBe(MAX_FAULTS);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['fields that are not known', Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`f${at}`, 0])), MAX_FAULTS],
    ['descriptors', { descriptors: Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`d ${at}`, 0])) }, 1],
    ['names to count by', { count_by: Array(MANY).fill(0) }, 1],
  ])('one rule with any number of %s', (_what, fields, expected) => {
    const checked = validateRule({ ...RULE, ...fields });
    expect(checked.ok ? 0 : checked.faults.length).toBe(expected);
  });
});
