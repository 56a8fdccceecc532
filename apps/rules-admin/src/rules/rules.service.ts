import { Injectable } from '@nestjs/common';
import type { Precondition } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { RULES } from '../database/tables.js';
import type { RemovalOutcome } from '../database/versioned-table.js';
import { publishableRule } from './publishable-rule.js';
import { putRule, type RuleWrite } from './put-rule.js';
import { removeOverridesOf } from '../overrides/settle-overrides.js';
import type { RuleBody } from './rule.dto.js';
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

  /** @throws ProblemException 400 for what `@sluice/rules` does not take (R57) and for an unknown plan, 409 for a rule that another one matches exactly */
  put(ruleId: string, body: RuleBody, precondition: Precondition): Promise<RuleWrite> {
    const rule = publishableRule(ruleId, body);
    return this.writer.write((tx) => putRule(tx, rule, precondition));
  }

  /**
   * @param withOverrides whether live overrides of the rule go along
   * @throws ProblemException 409 while there are some, without it
   */
  remove(ruleId: string, precondition: Precondition, withOverrides: boolean): Promise<RemovalOutcome> {
    return this.writer.write((tx) => RULES.remove(tx, ruleId, { precondition, refuse: async () => (withOverrides ? removeOverridesOf(tx, ruleId) : undefined) }));
  }
}
