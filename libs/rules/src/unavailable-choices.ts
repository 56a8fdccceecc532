import type { Fault } from './fault.js';
import type { Rule } from './rule.js';
import { splitFaults } from './split-faults.js';

/**
 * Choices that the model knows and this version of the engine does not carry out. A control plane refuses to publish them: a rule
 * that quietly did something else would be worse than a clear no. Nodes accept them, and serve such a rule as `leased`, `regional` and
 * unsplit, so that a newer control plane cannot lock them out.
 */
export function unavailableChoices(rule: Rule): readonly Fault[] {
  const faults: Fault[] = [];
  const refuse = (pointer: string, choice: string): void => {
    faults.push({ pointer, detail: `${choice} is not available in this version` });
  };
  if (rule.consistency === 'gossip') refuse('/consistency', rule.consistency);
  if (rule.region_mode === 'split' || rule.region_mode === 'home') refuse('/region_mode', rule.region_mode);
  return [...faults, ...splitFaults(rule)];
}
