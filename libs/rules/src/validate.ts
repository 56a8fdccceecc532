import { integerBetween } from './checks.js';
import { validated, validatedInSteps, type Validated } from './fault.js';
import type { FaultList } from './fault-list.js';
import { ObjectReader } from './object-reader.js';
import { readOverride } from './read-override.js';
import { readPlan } from './read-plan.js';
import { readPublishedRule, readRule } from './read-rule.js';
import { noteReferenceFaults } from './reference-faults.js';
import type { Override, Plan, Rule, Snapshot } from './rule.js';
import { atOnce, type Steps } from './steps.js';

/**
 * Checks one rule by itself (R57): all faults at once (200 at most), each with its pointer. The value is a fresh object that holds known
 * fields alone, with the nominal `window_seconds` of a calendar filled in.
 */
export function validateRule(json: unknown): Validated<Rule> {
  return validated((faults) => readRule(json, '', faults));
}

/** Checks one plan, as {@link validateRule} does. */
export function validatePlan(json: unknown): Validated<Plan> {
  return validated((faults) => readPlan(json, '', faults));
}

/** Checks one override, as {@link validateRule} does; whether its rule exists is the snapshot's to say, the clock the caller's. */
export function validateOverride(json: unknown): Validated<Override> {
  return validated((faults) => readOverride(json, '', faults));
}

/** Checks a whole snapshot (R56, R57): every part, unknown plans and rules, duplicate ids. */
export function validateSnapshot(json: unknown): Validated<Snapshot> {
  return atOnce(validateSnapshotSteps(json));
}

/** As {@link validateSnapshot}, in small steps. */
export function validateSnapshotSteps(json: unknown): Steps<Validated<Snapshot>> {
  return validatedInSteps(function* (faults) {
    const snapshot = yield* readSnapshot(json, faults);
    // With parts left out for their faults, the indexes and the relations of the rest would be wrong.
    if (snapshot === undefined || faults.length > 0) return undefined;
    yield* noteReferenceFaults(snapshot, faults);
    return snapshot;
  });
}

/** A snapshot's version; 0 is the one before the first change. */
export const SNAPSHOT_VERSION = integerBetween(0, Number.MAX_SAFE_INTEGER);

function* readSnapshot(json: unknown, faults: FaultList): Steps<Snapshot | undefined> {
  const reader = ObjectReader.open(json, '', faults, ['version', 'plans', 'rules', 'overrides']);
  if (reader === undefined) return undefined;
  const version = reader.required('version', SNAPSHOT_VERSION);
  const plans = yield* reader.requiredList('plans', readPlan);
  const rules = yield* reader.requiredList('rules', readPublishedRule);
  const overrides = yield* reader.requiredList('overrides', readOverride);
  if (version === undefined || plans === undefined || rules === undefined || overrides === undefined) return undefined;
  return { version, plans, rules, overrides };
}
