import { validatedInSteps, type Validated } from './fault.js';
import { ID, PUBLISHED_RULE_ID } from './names.js';
import { ObjectReader } from './object-reader.js';
import { readOverride } from './read-override.js';
import { readPlan } from './read-plan.js';
import { readPublishedRule } from './read-rule.js';
import { noteReferenceFaults } from './reference-faults.js';
import type { Override, Plan, Rule, Snapshot } from './rule.js';
import { atOnce, eachInSteps, type Steps } from './steps.js';
import { SNAPSHOT_VERSION } from './validate.js';

/** What changed between two versions of a snapshot (R54). Changed parts come whole; deleted ones by id. */
export interface SnapshotDelta {
  /** The version that the delta builds on. */
  readonly since: number;
  /** The version that it leads to. */
  readonly version: number;
  readonly rules: readonly Rule[];
  readonly deleted_rules: readonly string[];
  readonly plans: readonly Plan[];
  readonly deleted_plans: readonly string[];
  readonly overrides: readonly Override[];
  readonly deleted_overrides: readonly string[];
}

const FIELDS = ['since', 'version', 'rules', 'deleted_rules', 'plans', 'deleted_plans', 'overrides', 'deleted_overrides'];

/** Checks the parts of a delta; their relations show when it is applied. */
export function validateDelta(json: unknown): Validated<SnapshotDelta> {
  return atOnce(validateDeltaSteps(json));
}

/** As {@link validateDelta}, in small steps. */
export function validateDeltaSteps(json: unknown): Steps<Validated<SnapshotDelta>> {
  return validatedInSteps(function* (faults) {
    const reader = ObjectReader.open(json, '', faults, FIELDS);
    if (reader === undefined) return undefined;
    return {
      since: reader.required('since', SNAPSHOT_VERSION) ?? 0,
      version: reader.required('version', SNAPSHOT_VERSION) ?? 0,
      rules: (yield* reader.requiredList('rules', readPublishedRule)) ?? [],
      deleted_rules: (yield* reader.requiredList('deleted_rules', PUBLISHED_RULE_ID)) ?? [],
      plans: (yield* reader.requiredList('plans', readPlan)) ?? [],
      deleted_plans: (yield* reader.requiredList('deleted_plans', ID)) ?? [],
      overrides: (yield* reader.requiredList('overrides', readOverride)) ?? [],
      deleted_overrides: (yield* reader.requiredList('deleted_overrides', ID)) ?? [],
    };
  });
}

/**
 * The snapshot after a validated delta; the old one is untouched. A fault when the delta builds on another version, leads back, or
 * leaves the parts inconsistent: then the node fetches the whole snapshot. An id that is already gone may be deleted again;
 * one that is deleted and changed stays, as changed. Pointers other than `/since` and `/version` are into the result.
 */
export function applyDelta(snapshot: Snapshot, delta: SnapshotDelta): Validated<Snapshot> {
  return atOnce(applyDeltaSteps(snapshot, delta));
}

/** As {@link applyDelta}, in small steps. */
export function applyDeltaSteps(snapshot: Snapshot, delta: SnapshotDelta): Steps<Validated<Snapshot>> {
  return validatedInSteps(function* (faults) {
    const { since, version } = delta;
    if (since !== snapshot.version) faults.push({ pointer: '/since', detail: `is ${String(since)}, but the snapshot has version ${String(snapshot.version)}` });
    if (version < since) faults.push({ pointer: '/version', detail: `must not be below ${String(since)}` });
    if (faults.length > 0) return undefined;
    const next: Snapshot = {
      version,
      plans: yield* merge(snapshot.plans, delta.plans, delta.deleted_plans, (plan) => plan.plan_id),
      rules: yield* merge(snapshot.rules, delta.rules, delta.deleted_rules, (rule) => rule.rule_id),
      overrides: yield* merge(snapshot.overrides, delta.overrides, delta.deleted_overrides, (override) => override.override_id),
    };
    yield* noteReferenceFaults(next, faults);
    return next;
  });
}

function* merge<T>(old: readonly T[], changed: readonly T[], deleted: readonly string[], idOf: (item: T) => string): Steps<readonly T[]> {
  if (changed.length + deleted.length === 0) return old;
  const items = new Map<string, T>();
  yield* eachInSteps(old, (item) => items.set(idOf(item), item));
  yield* eachInSteps(deleted, (id) => items.delete(id));
  yield* eachInSteps(changed, (item) => items.set(idOf(item), item));
  return [...items.values()];
}
