import type { Quota } from '@sluice/algorithms';
import { compileRule } from './compile-rule.js';
import type { AppliedRule, CompiledRule } from './compiled-rule.js';
import { countingIdentity } from './counting-identity.js';
import type { GivenLimit } from './given-limit.js';
import { GIVEN_RULE, givenIdentity } from './names.js';
import { normalizeIp } from './normalize-ip.js';
import { overriddenQuota } from './quota-of.js';
import type { RequestAttributes } from './rule.js';

/** Shapes of requests, windows and limits that are remembered; beyond it they are made anew. Callers choose them, so they are bounded. */
const MOST_KNOWN = 1_000;

/** A given limit as a rule, and the attributes that a request is counted by under it. */
export interface GivenRule {
  readonly applied: AppliedRule;
  readonly attributes: RequestAttributes;
}

/**
 * Makes rules of the limits that callers name. One whose window is that of a rule which applies shares that rule's counters, as an override
 * does; of several such rules those of the most specific. Any other counts requests that have all attributes in common, in fixed windows.
 */
export class GivenRules {
  private shared = new WeakMap<CompiledRule, Map<number, AppliedRule>>();
  /** By the names of the attributes and the window. */
  private readonly adHoc = new Map<string, { readonly rule: CompiledRule; readonly byLimit: Map<number, AppliedRule> }>();

  /** @param matching the rules that apply to the attributes. The same limit gets the same object, so that its terms are worked out once. */
  of(matching: readonly AppliedRule[], attributes: RequestAttributes, given: GivenLimit): GivenRule {
    const base = sharing(matching, given);
    return base === undefined ? this.adHocOf(attributes, given) : { applied: this.sharedOf(base.rule, given.limit), attributes };
  }

  private sharedOf(rule: CompiledRule, limit: number): AppliedRule {
    let byLimit = this.shared.get(rule);
    if (byLimit === undefined) this.shared.set(rule, (byLimit = new Map()));
    return appliedOf(byLimit, rule, limit);
  }

  /** One value stands for all attributes: the place of a counter in the store comes from its first value, which many requests may share. */
  private adHocOf(attributes: RequestAttributes, given: GivenLimit): GivenRule {
    const names = Object.keys(attributes).filter((name) => typeof attributes[name] === 'string').sort();
    const key = `${given.windowMs} ${given.calendar?.unit ?? ''} ${given.calendar?.timeZone ?? ''} ${JSON.stringify(names)}`;
    let known = this.adHoc.get(key);
    if (known === undefined) {
      if (this.adHoc.size >= MOST_KNOWN) this.adHoc.clear();
      this.adHoc.set(key, (known = { rule: ruleOf(names, given), byLimit: new Map() }));
    }
    const values = names.map((name) => valueOf(name, attributes[name] ?? ''));
    return { applied: appliedOf(known.byLimit, known.rule, given.limit), attributes: { [GIVEN_RULE]: values.length === 1 ? values[0] : JSON.stringify(values) } };
  }
}

function appliedOf(byLimit: Map<number, AppliedRule>, rule: CompiledRule, limit: number): AppliedRule {
  let applied = byLimit.get(limit);
  if (applied === undefined) {
    if (byLimit.size >= MOST_KNOWN) byLimit.clear();
    // No counter takes a limit of 0: whoever applies it refuses by itself.
    const quota = limit === 0 ? { ...rule.quota, limit, burst: 0 } : overriddenQuota(rule.quota, { limit });
    applied = Object.freeze({ rule, quota: Object.freeze(quota), overrideId: undefined });
    byLimit.set(limit, applied);
  }
  return applied;
}

/** The enforced rule with that window, the most specific one of several. */
function sharing(matching: readonly AppliedRule[], given: GivenLimit): AppliedRule | undefined {
  let found: AppliedRule | undefined;
  for (const one of matching) {
    if (one.rule.mode !== 'enforce' || !hasWindow(one.rule.quota, given)) continue;
    if (found === undefined || (one.rank ?? Infinity) < (found.rank ?? Infinity)) found = one;
  }
  return found;
}

function hasWindow({ windowMs, calendar }: Quota, given: GivenLimit): boolean {
  if (calendar === undefined || given.calendar === undefined) return calendar === given.calendar && windowMs === given.windowMs;
  return calendar.unit === given.calendar.unit && calendar.timeZone === given.calendar.timeZone;
}

function ruleOf(names: readonly string[], { windowMs, calendar }: GivenLimit): CompiledRule {
  const window = { window_seconds: windowMs / 1000, ...(calendar && { calendar: { unit: calendar.unit, time_zone: calendar.timeZone } }) };
  const rule = compileRule({ rule_id: GIVEN_RULE, version: 1, policy: GIVEN_RULE, algorithm: 'fixed_window', limit: 1, ...window, count_by: [GIVEN_RULE] });
  return Object.freeze({ ...rule, identity: countingIdentity(givenIdentity(names), rule.quota, [GIVEN_RULE]) });
}

/** As the counters of rules have them: an IPv6 address by its subnet. */
function valueOf(name: string, value: string): string {
  return name === 'ip' ? (normalizeIp(value) ?? value) : value;
}
