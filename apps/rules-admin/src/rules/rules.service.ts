import { Injectable } from '@nestjs/common';
import type { Precondition } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { PLANS, RULES } from '../database/tables.js';
import type { RemovalOutcome, WriteOutcome } from '../database/versioned-table.js';
import { invalid } from '../input/invalid.js';
import type { RuleBody } from './rule.dto.js';
import { publishableRule } from './publishable-rule.js';
import { type RuleWarning, reviewWrite } from './review-write.js';
import { ruleConflict } from './rule-conflict.js';
import { isSameRule, ruleFields, ruleJson } from './rule-json.js';
import type { RuleRow } from './rule.entity.js';
import { rulesBeside } from './rules-beside.js';

/** What a write came to, and what it made odd; an unchanged rule is not reviewed. */
export interface RuleWrite {
  readonly outcome: WriteOutcome<RuleRow>;
  readonly warnings: readonly RuleWarning[];
}

/** Rules, changed one version at a time. */
@Injectable()
export class RulesService {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
  ) {}

  find(ruleId: string): Promise<RuleRow | null> {
    return RULES.find(this.reader.manager, ruleId);
  }

  /** @throws ProblemException 400 for what `@sluice/rules` does not take (R57) and for an unknown plan, 409 for a rule that another one matches exactly */
  async put(ruleId: string, body: RuleBody, precondition: Precondition): Promise<RuleWrite> {
    const rule = publishableRule(ruleId, body);
    return this.writer.write(async (tx) => {
      if (rule.plan !== undefined && (await PLANS.find(tx.manager, rule.plan)) === null) throw invalid([{ pointer: '/plan', detail: `names the unknown plan ${rule.plan}` }]);
      let warnings: readonly RuleWarning[] = [];
      const outcome = await RULES.put(tx, ruleId, {
        fields: ruleFields(rule),
        precondition,
        isSame: (row) => isSameRule(ruleJson(row), rule),
        review: async (row) => {
          const review = reviewWrite(rule, row === null ? undefined : ruleJson(row), await rulesBeside(tx.manager, rule));
          if (review.conflict !== undefined) throw ruleConflict(ruleId, review.conflict);
          ({ warnings } = review);
        },
      });
      return { outcome, warnings };
    });
  }

  remove(ruleId: string, precondition: Precondition): Promise<RemovalOutcome> {
    return this.writer.write((tx) => RULES.remove(tx, ruleId, { precondition }));
  }
}
