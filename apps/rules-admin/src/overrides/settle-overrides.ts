import { overrideFault, planDefaultId, type QuotaJson } from '@sluice/rules';
import type { EntityManager } from 'typeorm';
import type { ConfigTransaction } from '../database/config-transaction.js';
import { OVERRIDES } from '../database/tables.js';
import { inUse } from '../input/in-use.js';
import { nameSome } from '../input/name-some.js';
import { OverrideRow } from './override.entity.js';

interface Affected {
  readonly id: string;
  readonly rule_id: string;
  /** bigint, as text. */
  readonly limit: string;
  readonly burst: string | null;
  readonly expired: boolean;
  readonly key_is_gone: boolean;
  readonly quota: QuotaJson | null;
  readonly proposed: QuotaJson | null;
}

/**
 * Keeps the overrides sound at the end of every write, whichever route it came by: a snapshot must not hold one of a rule that is not there, or one that the
 * rule or its proposed version would not take, since nodes would refuse it whole. A live override stands in the way of a change that would break it: it is a promise to a customer,
 * and no one should break that by accident. Expired ones go along in the same version, and so do all of a key that goes.
 *
 * @throws ProblemException 409 that names the overrides
 */
export async function settleOverrides(tx: ConfigTransaction): Promise<void> {
  const targets: string[] = [];
  const goneKeys: string[] = [];
  for (const { kind, id, action } of tx.recorded) {
    if (kind === 'proposal' && action !== 'deleted') targets.push(id);
    if (action === 'created') continue;
    if (kind === 'rule') targets.push(id);
    if (kind === 'plan') targets.push(planDefaultId(id));
    if (kind === 'key' && action === 'deleted') goneKeys.push(id);
  }
  if (targets.length + goneKeys.length === 0) return;
  const going: string[] = [];
  const standing: { readonly id: string; readonly ruleId: string; readonly detail: string }[] = [];
  for (const each of await affectedOverrides(tx.manager, targets, goneKeys)) {
    const burst = each.burst === null ? {} : { burst: Number(each.burst) };
    const fault = overrideFault({ rule_id: each.rule_id, limit: Number(each.limit), ...burst }, each.quota ?? undefined, '', each.proposed ?? undefined);
    if (each.key_is_gone || (fault !== undefined && each.expired)) going.push(each.id);
    else if (fault !== undefined) standing.push({ id: each.id, ruleId: each.rule_id, detail: each.quota === null ? '' : `, whose ${fault.pointer.slice(1)} ${fault.detail}` });
  }
  const [first] = standing;
  if (first !== undefined) throw inUse(nameOf(first.ruleId), `live overrides (${nameSome(standing.filter(({ ruleId }) => ruleId === first.ruleId).map(({ id }) => id))})${first.detail}`, adviceOn(first));
  if (going.length > 0) await OVERRIDES.removeAll(tx, await OVERRIDES.some(tx.manager, going));
}

/** Removes all overrides of a rule that is about to go, live ones too. */
export async function removeOverridesOf(tx: ConfigTransaction, ruleId: string): Promise<void> {
  await OVERRIDES.removeAll(tx, await tx.manager.createQueryBuilder(OverrideRow, 'row').where({ ruleId }).orderBy('row.id').getMany());
}

/** Of rules that changed only those with a burst, or without a rule, can be wrong: a rule with ten thousand overrides is changed as fast as any. */
function affectedOverrides(manager: EntityManager, targets: readonly string[], goneKeys: readonly string[]): Promise<readonly Affected[]> {
  return manager.query<readonly Affected[]>(
    `SELECT override_id AS id, override.rule_id, override."limit", override.burst, override.expires_at <= clock_timestamp() AS expired, override.key_id = ANY($2) AS key_is_gone,
            coalesce(rule.definition, plan.default_limit) AS quota, proposal.definition AS proposed
     FROM override LEFT JOIN rule ON rule.rule_id = override.rule_id LEFT JOIN plan ON 'plan:' || plan.plan_id = override.rule_id
                   LEFT JOIN proposal ON proposal.rule_id = override.rule_id
     WHERE (override.rule_id = ANY($1) AND (override.burst IS NOT NULL OR coalesce(rule.definition, plan.default_limit) IS NULL)) OR override.key_id = ANY($2)
     ORDER BY override_id`,
    [targets, goneKeys],
  );
}

function nameOf(ruleId: string): string {
  return ruleId.startsWith('plan:') ? `The default limit of plan ${ruleId.slice('plan:'.length)}` : `Rule ${ruleId}`;
}

/** @param detail empty where the rule itself would go */
function adviceOn({ ruleId, detail }: { readonly ruleId: string; readonly detail: string }): string {
  if (detail !== '') return 'Change them, or end them, first.';
  return ruleId.startsWith('plan:') ? 'End them first.' : `End them first, or along with the rule by DELETE /v1/rules/${ruleId}?overrides=delete; rules:apply and other changes have no such option.`;
}
