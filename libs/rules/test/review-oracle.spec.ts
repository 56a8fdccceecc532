import fc from 'fast-check';
import { compileSnapshot, reviewRules, type RequestAttributes, type Rule } from '../src/index.js';
import { NOW, plans, request, rules } from './arbitraries.js';

/** Requests that the rule matches, with a value of its own wherever the rule leaves one open; with a tail, of several lengths. */
function witnesses(rule: Rule): readonly RequestAttributes[] {
  const counted = Object.fromEntries((rule.count_by ?? ['key_id']).map((name) => [name, name === 'endpoint' ? 'none' : 'fresh']));
  const descriptors = Object.entries(rule.descriptors ?? {}).map(([name, value]) => [name, value === '*' ? 'fresh' : value]);
  const fixed = {
    ...counted,
    ...Object.fromEntries(descriptors),
    ...(rule.domain === undefined ? {} : { domain: rule.domain }),
    ...(rule.plan === undefined ? {} : { plan: rule.plan }),
  };
  const { endpoint = '*' } = rule;
  if (/^\/?\*$/.test(endpoint)) return [fixed];
  const lengths = endpoint.endsWith('*') ? [0, 1, 2, 3, 4, 5] : [0];
  return lengths.map((length) => ({ ...fixed, endpoint: concrete(endpoint, length) }));
}

function concrete(endpoint: string, tailLength: number): string {
  return endpoint.replace(/ \*$/, ' /*').replace(/^\//, 'FRESH /').replace(/\*$/, 'fresh/'.repeat(tailLength)).replaceAll(/\{\w+\}/g, 'fresh');
}

describe('R57 the review finds exactly the rules that can never apply', () => {
  it('each rule without a fault or warning applies to some request', () => {
    let warned = 0;
    fc.assert(
      fc.property(rules, plans, (list, planList) => {
        const review = reviewRules(list, planList);
        const out = new Set(review.faults.map((fault) => fault.pointer));
        const shadowed = new Set(review.warnings.map((warning) => warning.rule_id));
        warned += shadowed.size;
        const index = compileSnapshot({ version: 1, plans: planList, rules: list, overrides: [] });
        list.forEach((rule, at) => {
          if (rule.mode === 'off' || out.has(`/rules/${String(at)}`) || shadowed.has(rule.rule_id)) return;
          // Of two that conflict, the ids decide; the one that is kept need not be the one that wins.
          if (review.faults.some((fault) => fault.detail.includes(`what ${rule.rule_id} matches`))) return;
          const winners = witnesses(rule).map((attributes) => index.match(attributes, NOW).map((applied) => applied.rule.ruleId));
          // Several routes together can hide one with a tail (`/a` and `/a/{x}/*` hide `/a/*`); the review names single rules only.
          if (new Set(winners.map(String)).size === 1) expect(winners[0]).toContain(rule.rule_id);
        });
      }),
      { seed: 5, numRuns: 600 },
    );
    expect(warned).toBeGreaterThan(10);
  });

  it('a rule with a warning applies to none', () => {
    fc.assert(
      fc.property(rules, plans, fc.array(request, { minLength: 30, maxLength: 30 }), (list, planList, requests) => {
        const { warnings } = reviewRules(list, planList);
        const index = compileSnapshot({ version: 1, plans: planList, rules: list, overrides: [] });
        const shadowed = new Set(warnings.map((warning) => warning.rule_id));
        for (const attributes of [...requests, ...list.flatMap(witnesses)]) {
          for (const { rule } of index.match(attributes, NOW)) expect(shadowed).not.toContain(rule.ruleId);
        }
      }),
      { seed: 6, numRuns: 300 },
    );
  });
});
