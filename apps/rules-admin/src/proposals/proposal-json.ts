import { proposedId, type Rule } from '@sluice/rules';
import { ruleJson } from '../rules/rule-json.js';
import type { ProposalRow } from './proposal.entity.js';

/** A proposal as the API and the log have it: the rule as it would be, with the version of the proposal. */
export type Proposal = Rule & { readonly base_version: number };

/** A row as the API has it. */
export function proposalJson({ baseVersion, ...row }: Omit<ProposalRow, 'changedAtVersion' | 'planRow'>): Proposal {
  return { ...ruleJson(row), base_version: baseVersion };
}

/** A proposal as nodes get it: a rule in shadow under a reserved id. */
export function publishedProposal({ base_version: _base, ...rule }: Proposal): Rule {
  return { ...rule, rule_id: proposedId(rule.rule_id), mode: 'shadow' };
}
