import type { Rule } from '@sluice/rules';
import type { ConfigTransaction } from '../database/config-transaction.js';
import { ruleFields } from '../rules/rule-json.js';
import type { SetDifference } from './set-difference.js';

/**
 * Carries a difference out under one version, in a handful of statements however many rules it has: the version lock is held meanwhile. What
 * `VersionedTable` does for one rule is done here for all: versions go on from tombstones, deletions leave them, the log has every change.
 * Without a difference it takes no version.
 */
export async function writeDifference(tx: ConfigTransaction, { created, updated, deleted }: SetDifference): Promise<void> {
  if (created.length + updated.length + deleted.length === 0) return;
  const version = await tx.versionFor('nodes');
  await removeRules(tx, deleted, version);
  await updateRules(tx, updated.map(({ before, after }) => ({ ...after, version: before.version })), version);
  const firstVersions = await insertRules(tx, created, version);
  for (const rule of deleted) tx.record({ kind: 'rule', id: rule.rule_id, action: 'deleted', fromVersion: rule.version, toVersion: null, before: rule, after: null });
  for (const { before, after } of updated) {
    const toVersion = before.version + 1;
    tx.record({ kind: 'rule', id: after.rule_id, action: 'updated', fromVersion: before.version, toVersion, before, after: { ...after, version: toVersion } });
  }
  for (const rule of created) {
    const toVersion = firstVersions.get(rule.rule_id) ?? 1;
    tx.record({ kind: 'rule', id: rule.rule_id, action: 'created', fromVersion: null, toVersion, before: null, after: { ...rule, version: toVersion } });
  }
}

async function removeRules(tx: ConfigTransaction, rules: readonly Rule[], version: number): Promise<void> {
  if (rules.length === 0) return;
  const graves = await tx.manager.query<readonly unknown[]>(
    `WITH gone AS (DELETE FROM rule USING jsonb_to_recordset($1::jsonb) AS old (rule_id text, version bigint)
                   WHERE rule.rule_id = old.rule_id AND rule.version = old.version RETURNING rule.rule_id, rule.version)
     INSERT INTO tombstone (kind, id, version, changed_at_version) SELECT 'rule', rule_id, version, $2 FROM gone RETURNING id`,
    [JSON.stringify(rules.map(({ rule_id, version: last }) => ({ rule_id, version: last }))), version],
  );
  assertAll(graves.length, rules.length);
}

/** @param rules with the versions that they replace */
async function updateRules(tx: ConfigTransaction, rules: readonly Rule[], version: number): Promise<void> {
  if (rules.length === 0) return;
  const [, count] = await tx.manager.query<[unknown, number]>(
    `UPDATE rule SET plan = new.plan, endpoint = new.endpoint, definition = new.definition, version = rule.version + 1, changed_at_version = $2
     FROM jsonb_to_recordset($1::jsonb) AS new (rule_id text, version bigint, plan text, endpoint text, definition jsonb)
     WHERE rule.rule_id = new.rule_id AND rule.version = new.version`,
    [columnsOf(rules), version],
  );
  assertAll(count, rules.length);
}

/** @returns the version that each begins with */
async function insertRules(tx: ConfigTransaction, rules: readonly Rule[], version: number): Promise<ReadonlyMap<string, number>> {
  if (rules.length === 0) return new Map();
  const rows = await tx.manager.query<readonly { readonly rule_id: string; readonly version: string }[]>(
    `WITH new AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS r (rule_id text, plan text, endpoint text, definition jsonb)),
          grave AS (DELETE FROM tombstone USING new WHERE tombstone.kind = 'rule' AND tombstone.id = new.rule_id RETURNING tombstone.id, tombstone.version)
     INSERT INTO rule (rule_id, plan, endpoint, definition, version, changed_at_version)
     SELECT new.rule_id, new.plan, new.endpoint, new.definition, coalesce(grave.version, 0) + 1, $2 FROM new LEFT JOIN grave ON grave.id = new.rule_id
     RETURNING rule_id, version`,
    [columnsOf(rules), version],
  );
  assertAll(rows.length, rules.length);
  return new Map(rows.map((row) => [row.rule_id, Number(row.version)]));
}

function columnsOf(rules: readonly Rule[]): string {
  return JSON.stringify(rules.map((rule) => ({ rule_id: rule.rule_id, version: rule.version, ...ruleFields(rule) })));
}

/** The lock makes a race impossible; the conditions make sure of it. */
function assertAll(done: number, asked: number): void {
  if (done !== asked) throw new Error(`Only ${done} of ${asked} rules were at their versions under the lock.`);
}
