import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { Demand } from '../closed-outcomes.js';
import { counterValues, sameValues, type CounterValues } from '../counter-name.js';

/** One limit of one part of a request. */
export interface PartLimit {
  readonly applied: AppliedRule;
  readonly attributes: RequestAttributes;
  readonly cost: number;
  /** Which part, and which of its limits. */
  readonly part: number;
  readonly at: number;
}

/**
 * A counter that a request takes from, for one limit of it or several: what they take in all, under the strictest of them. What is in use afterwards has to be
 * within each of the limits, whatever the order of the parts, so it has to be within that one.
 */
export interface SharedDemand extends Demand {
  readonly limits: readonly PartLimit[];
}

/** Limits by the counter that they share, in the order of the first of each. */
export function demandsOf(limits: readonly PartLimit[]): readonly SharedDemand[] {
  const groups: Group[] = [];
  for (const limit of limits) {
    const { rule } = limit.applied;
    const values = counterValues(rule, limit.attributes);
    const group = groupOf(groups, rule.identity, values);
    if (group === undefined) groups.push({ identity: rule.identity, values, limits: [limit] });
    else group.limits.push(limit);
  }
  return groups.map((group) => demandOf(group.limits));
}

interface Group {
  readonly identity: string;
  readonly values: CounterValues;
  readonly limits: PartLimit[];
}

function groupOf(groups: readonly Group[], identity: string, values: CounterValues): Group | undefined {
  for (const group of groups) if (group.identity === identity && sameValues(group.values, values)) return group;
  return undefined;
}

/** @param limits at least one, all of one counter. */
export function demandOf(limits: readonly PartLimit[]): SharedDemand {
  const [first] = limits;
  if (first === undefined) throw new RangeError('a demand is of at least one limit');
  let { applied } = first;
  let cost = 0;
  for (const limit of limits) {
    if (isStricter(limit.applied, applied)) ({ applied } = limit);
    cost = Math.min(Number.MAX_SAFE_INTEGER, cost + limit.cost);
  }
  return { applied, attributes: first.attributes, cost, limits };
}

function isStricter({ quota: a }: AppliedRule, { quota: b }: AppliedRule): boolean {
  return a.burst !== b.burst ? a.burst < b.burst : a.limit < b.limit;
}
