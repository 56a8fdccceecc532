import type { Candidate } from './candidate.js';
import { compareText } from './specificity.js';
import { proposedId } from './names.js';
import { overriddenQuota } from './quota-of.js';
import type { Override } from './rule.js';
import { eachInSteps, type Steps } from './steps.js';

interface Timed {
  readonly expiresAtMs: number;
  readonly override: Override;
  /** The rule's and its proposed version's. Made when a request asks for them: most keys with an override are not seen while a snapshot lasts. */
  candidates: readonly Candidate[] | undefined;
}

/** Overrides by key and rule, as candidates that stand above all that have none. Time alone ends them: no new snapshot is needed. */
export class OverrideTable {
  /** For each key, what expires first in front. */
  private readonly byKey = new Map<string, Timed[]>();

  private constructor(private readonly candidates: ReadonlyMap<string, Candidate>) {}

  /** @param candidates by the id of their rule */
  static *of(overrides: readonly Override[], candidates: ReadonlyMap<string, Candidate>): Steps<OverrideTable> {
    const table = new OverrideTable(candidates);
    yield* eachInSteps(overrides, (override) => {
      // A rule that is switched off has no candidate, and its overrides rest with it.
      if (candidates.has(override.rule_id) || candidates.has(proposedId(override.rule_id))) table.add({ override, expiresAtMs: Date.parse(override.expires_at), candidates: undefined });
    });
    return table;
  }

  /**
   * The live overrides of a key, one for each rule, and for its proposed version, which they would be of too (R58); undefined for most keys. An override is
   * over at its `expires_at`.
   */
  live(keyId: string | undefined, nowMs: number): readonly Candidate[] | undefined {
    // Most snapshots hold few or none, and to look a key up is to read all of it.
    const list = keyId === undefined || this.byKey.size === 0 ? undefined : this.byKey.get(keyId);
    if (list === undefined) return undefined;
    const [first] = list;
    if (list.length === 1 && first !== undefined) return nowMs < first.expiresAtMs ? this.candidatesOf(first) : NONE;
    // By rule the one that expires first.
    const rules = new Set<string>();
    return list.flatMap((timed) => {
      const { override, expiresAtMs } = timed;
      if (nowMs >= expiresAtMs || rules.has(override.rule_id)) return NONE;
      rules.add(override.rule_id);
      return this.candidatesOf(timed);
    });
  }

  private add(timed: Timed): void {
    const keyId = timed.override.key_id;
    const list = this.byKey.get(keyId);
    if (list === undefined) this.byKey.set(keyId, [timed]);
    else list.splice(list.findLastIndex((other) => expiresBefore(other, timed)) + 1, 0, timed);
  }

  private candidatesOf(timed: Timed): readonly Candidate[] {
    const { override } = timed;
    timed.candidates ??= [override.rule_id, proposedId(override.rule_id)].flatMap((ruleId) => {
      const candidate = this.candidates.get(ruleId);
      return candidate === undefined ? [] : [overridden(candidate, override, this.candidates.size)];
    });
    return timed.candidates;
  }
}

const NONE: readonly Candidate[] = [];

/** A total order, so that the order of the snapshot does not matter. */
function expiresBefore(a: Timed, b: Timed): boolean {
  return (a.expiresAtMs - b.expiresAtMs || a.override.limit - b.override.limit || compareText(a.override.override_id, b.override.override_id)) < 0;
}

function overridden(candidate: Candidate, override: Override, ruleCount: number): Candidate {
  const rank = candidate.rank - ruleCount;
  const applied = Object.freeze({
    rule: candidate.applied.rule,
    quota: Object.freeze(overriddenQuota(candidate.applied.quota, override)),
    overrideId: override.override_id,
    rank,
  });
  return { ...candidate, rank, applied, alone: Object.freeze([applied]) };
}
