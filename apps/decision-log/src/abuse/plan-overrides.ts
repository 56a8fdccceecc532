import type { DecisionStore } from '../store/decision-store.js';
import type { Finding, LeftOut, PlannedOverride } from './finding.js';
import type { OverridesClient } from './overrides-client.js';
import type { AbusePattern, OverrideTerms } from './pattern.js';

export interface Planned {
  readonly overrides: readonly PlannedOverride[];
  readonly leftOut: readonly LeftOut[];
}

interface PlanParts {
  readonly store: Pick<DecisionStore, 'aggregate'>;
  readonly client: Pick<OverridesClient, 'limitOf'>;
}

/**
 * What a pattern's override would be for each key of a finding: never below the floor, and never one that gives a key more than its rule does.
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
      const limitInForce = await client.limitOf(ruleId);
      const planned = limitInForce === undefined ? `rule ${ruleId} is not there, or has no limit` : limitBy(terms, limitInForce);
      if (typeof planned === 'string') leftOut.push({ keyId, why: planned });
      else overrides.push({ keyId, ruleId, limit: planned, expiresAtMs: foundAtMs + terms.ttlMs });
    }
  }
  return { overrides, leftOut };
}

/** The limit, or why there is none. */
function limitBy({ limit, factor = 1, floor }: OverrideTerms, limitInForce: number): number | string {
  const wanted = Math.max(floor, limit ?? Math.floor(limitInForce * factor));
  return wanted < limitInForce ? wanted : `its limit of ${limitInForce} is not above the ${wanted} that it would get`;
}

/** The rule that decided most of a key's requests; of refused ones, if there were some. Rules in shadow and proposed versions decide nothing. */
async function decidingRule(store: PlanParts['store'], keyId: string, fromMs: number, toMs: number): Promise<string | undefined> {
  const [row] = await store.aggregate({ filter: { fromMs, toMs, attributes: { key_id: keyId } }, groupBy: ['rule_id'], orderBy: 'refused', limit: 1 });
  return row?.group[0] ?? undefined;
}
