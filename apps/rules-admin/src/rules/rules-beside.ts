import type { Rule } from '@sluice/rules';
import type { EntityManager } from 'typeorm';
import { mayMeet } from './may-meet.js';
import type { RuleRow } from './rule.entity.js';
import { ruleJson } from './rule-json.js';

/**
 * The stored rules that a rule might conflict with or hide, by id. They are among those of its plan, or among those without one: a rule for another plan
 * never matches the same requests, and between one with a plan and one without it the plan decides.
 */
export async function rulesBeside(manager: EntityManager, rule: Rule): Promise<readonly Rule[]> {
  const { rule_id, plan = null } = rule;
  // No entities: the write lock is held, and to make 5,000 takes longer than to read them. Nor IS NOT DISTINCT FROM, which finds no index.
  const rows = await manager.query<Pick<RuleRow, 'id' | 'endpoint' | 'definition'>[]>(
    `SELECT rule_id AS id, endpoint, definition FROM rule WHERE rule_id <> $1 AND (plan = $2 OR ($2 IS NULL AND plan IS NULL)) ORDER BY rule_id`,
    [rule_id, plan],
  );
  // Versions have no part in it.
  return rows.map((row) => ruleJson({ ...row, plan, version: 1 })).filter((other) => mayMeet(rule, other));
}
