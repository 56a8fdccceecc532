import { Injectable } from '@nestjs/common';
import type { Rule } from '@sluice/rules';
import { type Precondition, refusalOf } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { PROPOSALS, RULES } from '../database/tables.js';
import type { RemovalOutcome, WriteOutcome } from '../database/versioned-table.js';
import { invalid } from '../input/invalid.js';
import { notFound } from '../input/not-found.js';
import { putRule, type RuleWrite } from '../rules/put-rule.js';
import { type RuleWarning, reviewWrite } from '../rules/review-write.js';
import { ruleConflict } from '../rules/rule-conflict.js';
import { ruleOfBody } from '../rules/rule-of-body.js';
import { isSameRule, ruleFields, ruleJson } from '../rules/rule-json.js';
import { rulesBeside } from '../rules/rules-beside.js';
import { unknownPlanFaults } from '../rules/unknown-plan.js';
import type { ProposalRow } from './proposal.entity.js';
import { notInShadow, ruleChanged } from './staging-conflict.js';

/** What a write of a proposal came to, and what its promotion would make odd. */
export interface ProposalWrite {
  readonly outcome: WriteOutcome<ProposalRow>;
  readonly warnings: readonly RuleWarning[];
}

/** Staged changes of rules (R58): proposed, watched, then promoted or discarded. */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
  ) {}

  find(ruleId: string): Promise<ProposalRow | null> {
    return PROPOSALS.find(this.reader.manager, ruleId);
  }

  /**
   * Proposes what a rule shall become, as if it replaced the version in force. The same again, once that version has changed, is a proposal to replace the one
   * that is there now.
   *
   * @throws ProblemException 400 for what may not be published, 404 without the rule, 409 for what matches exactly what another rule matches, or what a live override does not fit
   */
  async put(ruleId: string, body: Readonly<Record<string, unknown>>, precondition: Precondition): Promise<ProposalWrite> {
    const checked = ruleOfBody(ruleId, body);
    const misplaced = body['mode'] === 'shadow' || body['mode'] === 'off' ? [{ pointer: '/mode', detail: 'must be enforce, or absent: a proposal says what is to be enforced' }] : [];
    if (!checked.ok) throw invalid([...checked.faults, ...misplaced, ...(await unknownPlanFaults(this.reader.manager, body))]);
    const rule = checked.value;
    return this.writer.write(async (tx) => {
      const inForce = await RULES.find(tx.manager, ruleId);
      if (inForce === null) throw notFound(`Rule ${ruleId}`);
      const faults = [...misplaced, ...(await unknownPlanFaults(tx.manager, rule))];
      if (faults.length > 0) throw invalid(faults);
      let warnings: readonly RuleWarning[] = [];
      const outcome = await PROPOSALS.put(tx, ruleId, {
        fields: { ...ruleFields(rule), baseVersion: inForce.version },
        precondition,
        isSame: (row) => row.baseVersion === inForce.version && isSameRule(contentOf(row), rule),
        review: async () => {
          const review = reviewWrite(rule, ruleJson(inForce), await rulesBeside(tx.manager, rule));
          if (review.conflict !== undefined) throw ruleConflict(ruleId, review.conflict);
          ({ warnings } = review);
        },
      });
      return { outcome, warnings };
    });
  }

  /** Discards a proposal. */
  remove(ruleId: string, precondition: Precondition): Promise<RemovalOutcome> {
    return this.writer.write((tx) => PROPOSALS.remove(tx, ruleId, { precondition }));
  }

  /**
   * Puts the proposal in force, in one version. It is reviewed again beside the rules of now.
   *
   * @throws ProblemException 404 without a proposal, 409 when the rule has changed since it was proposed or another one matches the same by now
   */
  promote(ruleId: string, precondition: Precondition): Promise<RuleWrite> {
    return this.writer.write(async (tx) => {
      const row = await PROPOSALS.find(tx.manager, ruleId);
      const inForce = await RULES.find(tx.manager, ruleId);
      if (row === null || inForce === null) throw notFound(`A proposal of rule ${ruleId}`);
      const refusal = refusalOf(precondition, row.version);
      if (refusal !== undefined) return { outcome: { status: 'refused', refusal }, warnings: [] };
      if (inForce.version !== row.baseVersion) throw ruleChanged(ruleId, row.baseVersion, inForce.version);
      tx.annotate(`promoted version ${row.version} of its proposal`);
      await PROPOSALS.removeAll(tx, [row]);
      return putRule(tx, contentOf(row), { ifMatch: '*', ifNoneMatch: undefined });
    });
  }

  /**
   * Enforces a rule that is in shadow.
   *
   * @throws ProblemException 404 without the rule, 409 when it is not in shadow or another one matches the same
   */
  promoteShadow(ruleId: string, precondition: Precondition): Promise<RuleWrite> {
    return this.writer.write(async (tx) => {
      const row = await RULES.find(tx.manager, ruleId);
      if (row === null) throw notFound(`Rule ${ruleId}`);
      const refusal = refusalOf(precondition, row.version);
      if (refusal !== undefined) return { outcome: { status: 'refused', refusal }, warnings: [] };
      const { mode, ...rule } = ruleJson(row);
      if (mode !== 'shadow') throw notInShadow(ruleId);
      tx.annotate('promoted from shadow');
      return putRule(tx, rule, precondition);
    });
  }
}

function contentOf(row: ProposalRow): Rule {
  return ruleJson(row);
}
