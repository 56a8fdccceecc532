import type { DecisionEvent, DecisionLimit } from '@sluice/events';
import { type Rule, RULE_DEFAULTS } from '@sluice/rules';
import type { InForce } from '../../control-plane/in-force.js';
import type { LimitFacts } from './facts.js';

/**
 * What applies to the same request now in place of a limit that decided then. It can be told where the event has all that the rule looked at: what a node is
 * not configured to send would be missing in the request that the control plane is asked about, and another rule than the true one would seem to apply.
 *
 * @param rule the rule then
 */
export function limitInForce(limit: DecisionLimit, { attributes }: DecisionEvent, rule: Rule | undefined, inForce: InForce | undefined): LimitFacts['inForce'] {
  if (rule === undefined || inForce === undefined) return undefined;
  const needed = [...Object.keys(rule.descriptors ?? {}), ...(rule.count_by ?? RULE_DEFAULTS.count_by), ...(rule.endpoint === undefined || rule.endpoint === '*' ? [] : ['endpoint'])];
  if (needed.some((name) => attributes[name] === undefined)) return undefined;
  // The rule may have got another policy, and goes on limiting.
  return { limit: inForce.limits.find(({ ruleId }) => ruleId === limit.rule_id) ?? inForce.limits.find(({ policy }) => policy === limit.policy) };
}
