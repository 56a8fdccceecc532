import type { DecisionStore } from '../store/decision-store.js';
import type { Finding, LeftOut, PlannedOverride } from './finding.js';
import type { OverridesClient } from './overrides-client.js';
import type { AbusePattern } from './pattern.js';
import { limitBy, madeBefore, standingOf } from './standing.js';

export interface Planned {
  readonly overrides: readonly PlannedOverride[];
  readonly leftOut: readonly LeftOut[];
}

interface PlanParts {
  readonly store: Pick<DecisionStore, 'aggregate'>;
  readonly client: Pick<OverridesClient, 'limitOf' | 'live'>;
}

/**
 * What a pattern's override would be for each key of a finding: never below the floor, and never one that gives a key more than it has.
 * @throws Error where store or control plane cannot be asked
 */
export async function planOverrides({ override: terms }: Pick<AbusePattern, 'override'>, finding: Finding, { store, client }: PlanParts): Promise<Planned> {
  const { keyIds, windowFromMs, windowToMs, foundAtMs } = finding;
  const overrides: PlannedOverride[] = [];
  const leftOut: LeftOut[] = [];
  if (terms === undefined) return { overrides, leftOut };
  for (const keyId of keyIds) {
    const ruleId = terms.ruleId ?? (await decidingRule(store, keyId, windowFromMs, windowToMs));
    if (ruleId === undefined) leftOut.push({ keyId, why: 'no rule decided its requests' });
    else {
      const standing = await standingOf(client, keyId, ruleId);
      const there = standing && madeBefore(standing, finding.patternId);
      const planned = standing === undefined ? `rule ${ruleId} is not there, or has no limit` : limitBy(terms, standing);
      if (there !== undefined) overrides.push({ keyId, ruleId, limit: there.limit, expiresAtMs: there.expiresAtMs, overrideId: there.overrideId });
      else if (typeof planned === 'string') leftOut.push({ keyId, why: planned });
      else overrides.push({ keyId, ruleId, limit: planned, expiresAtMs: foundAtMs + terms.ttlMs });
    }
  }
  return { overrides, leftOut };
}

/** The rule that decided most of a key's requests; of refused ones, if there were some. Rules in shadow and proposed versions decide nothing. */
async function decidingRule(store: PlanParts['store'], keyId: string, fromMs: number, toMs: number): Promise<string | undefined> {
  const [row] = await store.aggregate({ filter: { fromMs, toMs, attributes: { key_id: keyId } }, groupBy: ['rule_id'], orderBy: 'refused', limit: 1 });
  return row?.group[0] ?? undefined;
}
