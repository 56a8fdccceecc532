import { Injectable } from '@nestjs/common';
import { type Rule, validateRule } from '@sluice/rules';
import type { Precondition } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { PLANS, RULES } from '../database/tables.js';
import type { RemovalOutcome, WriteOutcome } from '../database/versioned-table.js';
import { invalid } from '../input/invalid.js';
import type { RuleBody } from './rule.dto.js';
import { isSameRule, ruleFields, ruleJson } from './rule-json.js';
import type { RuleRow } from './rule.entity.js';

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

  /** @throws ProblemException 400 for what `@sluice/rules` does not take (R57), and for an unknown plan */
  async put(ruleId: string, body: RuleBody, precondition: Precondition): Promise<WriteOutcome<RuleRow>> {
    const rule = validRule(ruleId, body);
    return this.writer.write(async (tx) => {
      if (rule.plan !== undefined && (await PLANS.find(tx.manager, rule.plan)) === null) throw invalid([{ pointer: '/plan', detail: `names the unknown plan ${rule.plan}` }]);
      return RULES.put(tx, ruleId, { fields: ruleFields(rule), precondition, isSame: (row) => isSameRule(ruleJson(row), rule) });
    });
  }

  remove(ruleId: string, precondition: Precondition): Promise<RemovalOutcome> {
    return this.writer.write((tx) => RULES.remove(tx, ruleId, { precondition }));
  }
}

/** The version is the table's to give; any will do for the check. */
function validRule(ruleId: string, body: RuleBody): Rule {
  const checked = validateRule({ ...body, rule_id: ruleId, version: 1 });
  if (!checked.ok) throw invalid(checked.faults);
  return checked.value;
}
