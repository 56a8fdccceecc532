import type { Candidate } from './candidate.js';
import { compareText } from './specificity.js';
import { overriddenQuota } from './quota-of.js';
import type { Override } from './rule.js';

interface Timed {
  readonly expiresAtMs: number;
  readonly candidate: Candidate;
}

/** Overrides by key and rule, as candidates that stand above all that have none. Time alone ends them: no new snapshot is needed. */
export class OverrideTable {
  private readonly byKey = new Map<string, Timed[][]>();

  constructor(overrides: readonly Override[], candidates: ReadonlyMap<string, Candidate>) {
    const ordered = overrides
      .map((override) => ({ override, expiresAtMs: Date.parse(override.expires_at) }))
      .sort((a, b) => a.expiresAtMs - b.expiresAtMs || a.override.limit - b.override.limit || compareText(a.override.override_id, b.override.override_id));
    for (const { override, expiresAtMs } of ordered) {
      const candidate = candidates.get(override.rule_id);
      // A rule that is switched off has no candidate, and its overrides rest with it.
      if (candidate !== undefined) this.add(override.key_id, { expiresAtMs, candidate: overridden(candidate, override, candidates.size) });
    }
  }

  /** The live overrides of a key, one for each rule; undefined for most keys. An override is over at its `expires_at`. */
  live(keyId: string | undefined, nowMs: number): readonly Candidate[] | undefined {
    // Most snapshots hold few or none, and to look a key up is to read all of it.
    const rules = keyId === undefined || this.byKey.size === 0 ? undefined : this.byKey.get(keyId);
    return rules?.flatMap((list) => list.find(({ expiresAtMs }) => nowMs < expiresAtMs)?.candidate ?? []);
  }

  private add(keyId: string, timed: Timed): void {
    const lists = this.byKey.get(keyId);
    const list = lists?.find(([first]) => first?.candidate.match.ruleId === timed.candidate.match.ruleId);
    if (list !== undefined) list.push(timed);
    else if (lists !== undefined) lists.push([timed]);
    else this.byKey.set(keyId, [[timed]]);
  }
}

function overridden(candidate: Candidate, override: Override, ruleCount: number): Candidate {
  const applied = Object.freeze({
    rule: candidate.applied.rule,
    quota: Object.freeze(overriddenQuota(candidate.applied.quota, override)),
    overrideId: override.override_id,
  });
  return { ...candidate, rank: candidate.rank - ruleCount, applied, alone: Object.freeze([applied]) };
}
