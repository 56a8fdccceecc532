import { Injectable } from '@nestjs/common';
import type { Precondition } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { RULES } from '../database/tables.js';
import type { RemovalOutcome } from '../database/versioned-table.js';
import { invalid } from '../input/invalid.js';
import { putRule, type RuleWrite } from './put-rule.js';
import { removeOverridesOf } from '../overrides/settle-overrides.js';
import { ruleOfBody } from './rule-of-body.js';
import type { RuleRow } from './rule.entity.js';
import { unknownPlanFaults } from './unknown-plan.js';

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
  async put(ruleId: string, body: Readonly<Record<string, unknown>>, precondition: Precondition): Promise<RuleWrite> {
    const checked = ruleOfBody(ruleId, body);
    if (!checked.ok) throw invalid([...checked.faults, ...(await unknownPlanFaults(this.reader.manager, body))]);
    return this.writer.write((tx) => putRule(tx, checked.value, precondition));
  }

  /**
   * @param withOverrides whether live overrides of the rule go along
   * @throws ProblemException 409 while there are some, without it
   */
  remove(ruleId: string, precondition: Precondition, withOverrides: boolean): Promise<RemovalOutcome> {
    return this.writer.write((tx) => RULES.remove(tx, ruleId, { precondition, refuse: async () => (withOverrides ? removeOverridesOf(tx, ruleId) : undefined) }));
  }
}
