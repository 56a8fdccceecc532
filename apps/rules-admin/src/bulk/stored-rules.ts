import type { Rule } from '@sluice/rules';
import type { EntityManager } from 'typeorm';
import { ruleJson } from '../rules/rule-json.js';
import type { RuleRow } from '../rules/rule.entity.js';

/** The rules at one moment. */
export interface StoredRules {
  readonly rules: readonly Rule[];
  /** Global version of the last change of any rule, deletions included. */
  readonly changedAt: number;
}

type Stored = Pick<RuleRow, 'id' | 'plan' | 'endpoint' | 'definition'> & { readonly version: string };

/** All rules. Without entities, which take longer to make than the rows to read. */
export async function storedRules(manager: EntityManager): Promise<StoredRules> {
  const rows = await manager.query<readonly Stored[]>('SELECT rule_id AS id, version, plan, endpoint, definition FROM rule');
  const rules = rows.map(({ version, ...row }) => ruleJson({ ...row, version: Number(version) }));
  return { rules, changedAt: await rulesChangedAt(manager) };
}

/** Global version of the last change of any rule. */
export async function rulesChangedAt(manager: EntityManager): Promise<number> {
  const [found] = await manager.query<{ version: string }[]>(
    `SELECT greatest((SELECT max(changed_at_version) FROM rule), (SELECT max(changed_at_version) FROM tombstone WHERE kind = 'rule'), 0) AS version`,
  );
  return Number(found?.version ?? 0);
}

/** Ids of all plans. */
export async function planIds(manager: EntityManager): Promise<ReadonlySet<string>> {
  const rows = await manager.query<{ plan_id: string }[]>('SELECT plan_id FROM plan');
  return new Set(rows.map(({ plan_id }) => plan_id));
}
