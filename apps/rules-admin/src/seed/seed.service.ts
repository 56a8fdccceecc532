import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@sluice/platform';
import { actAs } from '../access/acting.js';
import type { ConfigTransaction } from '../database/config-transaction.js';
import { ConfigWriter } from '../database/config-writer.js';
import { DatabaseConnection } from '../database/database-connection.js';
import { KEYS, PLANS, RULES, TENANTS } from '../database/tables.js';
import type { FieldsOf, VersionedRow } from '../database/versioned-row.js';
import type { VersionedTable } from '../database/versioned-table.js';
import { secretHash } from '../keys/key-secret.js';
import { planFields, validPlan } from '../plans/plans.service.js';
import { publishableRule } from '../rules/publishable-rule.js';
import { reviewWrite } from '../rules/review-write.js';
import { ruleFields } from '../rules/rule-json.js';
import type { RuleRow } from '../rules/rule.entity.js';
import { rulesBeside } from '../rules/rules-beside.js';
import { LOGGER } from '../tokens.js';
import type { Seed, Seeded } from './seed.js';

/**
 * Fills a database with what is not there, in one transaction. What is there stays as it is, and what an admin deleted stays deleted, so
 * that a second start keeps everybody's edits.
 */
@Injectable()
export class SeedService {
  constructor(
    private readonly database: DatabaseConnection,
    private readonly writer: ConfigWriter,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Waits for the database. @throws ProblemException for a seed that is not valid */
  async seed(seed: Seed): Promise<Seeded> {
    await this.database.ready;
    return actAs('system:seed', () => this.writer.write(async (tx) => ({
      plans: await addAbsent(tx, PLANS, seed.plans, ({ plan_id }) => plan_id, (plan) => planFields(validPlan(plan.plan_id, plan))),
      tenants: await addAbsent(tx, TENANTS, seed.tenants, ({ tenant_id }) => tenant_id, ({ name, plan_id }) => ({ name, planId: plan_id })),
      keys: await addAbsent(tx, KEYS, seed.keys, ({ key_id }) => key_id, (key) => ({ tenantId: key.tenant_id, name: key.name, secretSha256: secretHash(key.secret), previousSha256: null, previousExpiresAt: null, disabled: false })),
      rules: await addAbsent(tx, RULES, seed.rules, ({ rule_id }) => rule_id, (rule) => this.seedRule(tx, rule)),
    })));
  }

  /** Undefined for a rule to leave out: an admin gave its match to another one, or removed its plan. */
  private async seedRule(tx: ConfigTransaction, seed: Seed['rules'][number]): Promise<FieldsOf<RuleRow> | undefined> {
    const rule = publishableRule(seed.rule_id, seed);
    const { conflict } = reviewWrite(rule, undefined, await rulesBeside(tx.manager, rule));
    const isPlanGone = rule.plan !== undefined && (await PLANS.find(tx.manager, rule.plan)) === null;
    if (conflict === undefined && !isPlanGone) return ruleFields(rule);
    this.logger.info({ rule_id: rule.rule_id, conflicting_rule_id: conflict?.ruleId, plan: rule.plan }, 'seed rule left out');
    return undefined;
  }
}

async function addAbsent<Item, Row extends VersionedRow>(
  tx: ConfigTransaction,
  table: VersionedTable<Row>,
  items: readonly Item[],
  idOf: (item: Item) => string,
  fieldsOf: (item: Item) => FieldsOf<Row> | Promise<FieldsOf<Row> | undefined>,
): Promise<number> {
  let added = 0;
  for (const item of items) {
    if (await table.isKnown(tx.manager, idOf(item))) continue;
    const fields = await fieldsOf(item);
    if (fields === undefined) continue;
    await table.insert(tx, idOf(item), fields);
    added += 1;
  }
  return added;
}
