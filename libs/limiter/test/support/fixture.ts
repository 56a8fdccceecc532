import { compileSnapshot, type Override, type Plan, type Rule, type RuleIndex } from '@sluice/rules';
import { fakeClock } from '@sluice/testkit';
import { createLimiter, memoryStore, type Decision, type Limiter, type LimiterOptions } from '../../src/index.js';
import { Remote } from './remote.js';

/** The start of a minute, so that windows of up to a minute begin here. */
export const START_MS = 1_767_225_600_000;

export type RuleInput = Omit<Rule, 'version'> & { readonly version?: number };

export function rulesOf(rules: readonly RuleInput[], options: { version?: number; overrides?: Override[]; plans?: Plan[] } = {}): RuleIndex {
  const { version = 1, overrides = [], plans = [{ plan_id: 'free' }, { plan_id: 'pro' }] } = options;
  return compileSnapshot({ version, plans, rules: rules.map((rule) => ({ version: 1, ...rule })), overrides });
}

/** A limiter of one node on its own remote-like store; the clock stands still until it is moved. */
export function node(rules: readonly RuleInput[] | RuleIndex, options: Partial<LimiterOptions> = {}) {
  const clock = fakeClock(START_MS);
  const memory = memoryStore(clock);
  const store = new Remote(memory, () => clock.nowMs());
  const index = 'match' in rules ? rules : rulesOf(rules);
  const limiter = createLimiter({ store, rules: index, clock, ...options });
  return { clock, memory, store, limiter };
}

/** Asks one after the other. */
export async function checks(limiter: Limiter, count: number, attributes: Parameters<Limiter['check']>[0], cost = 1): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (let at = 0; at < count; at += 1) decisions.push(await limiter.check(attributes, cost));
  return decisions;
}

export function allowed(decisions: readonly Decision[]): number {
  return decisions.filter((decision) => decision.allowed).length;
}
