import fc from 'fast-check';
import { compileSnapshot, type AppliedRule, type Snapshot } from '../src/index.js';
import { NOW, request, rule, snapshot } from './arbitraries.js';
import { expectedMatch, type Expected } from './oracle.js';

function shown({ rule: { policy, mode, ruleId }, quota: { limit }, overrideId }: AppliedRule): Expected {
  return { policy, mode, ruleId, limit, overrideId };
}

describe('R1 R58 matching equals scoring every rule', () => {
  it('on small rule sets that tie and shadow each other', () => {
    const applied = { rules: 0, overrides: 0, shadows: 0, proposals: 0, overriddenProposals: 0 };
    fc.assert(
      fc.property(snapshot, fc.array(request, { minLength: 20, maxLength: 20 }), (rules, requests) => {
        const index = compileSnapshot(rules);
        for (const attributes of requests) {
          const found = index.match(attributes, NOW).map(shown);
          applied.rules += found.length;
          applied.overrides += found.filter((one) => one.overrideId !== undefined).length;
          applied.shadows += found.filter((one) => one.mode === 'shadow').length;
          const proposals = found.filter(({ ruleId }) => ruleId.startsWith('proposed:'));
          applied.proposals += proposals.length;
          applied.overriddenProposals += proposals.filter((one) => one.overrideId !== undefined).length;
          expect(found).toEqual(expectedMatch(rules, attributes, NOW));
        }
      }),
      { seed: 1, numRuns: 1_200 },
    );
    // The property would hold of requests that match nothing.
    expect(applied.rules).toBeGreaterThan(8_000);
    expect(applied.overrides).toBeGreaterThan(400);
    expect(applied.shadows).toBeGreaterThan(1_000);
    expect(applied.proposals).toBeGreaterThan(300);
    expect(applied.overriddenProposals).toBeGreaterThan(20);
  });

  it('on 5,000 rules', () => {
    const rules = fc.sample(rule, { seed: 2, numRuns: 5_000 }).map((one, at) => ({
      ...one,
      rule_id: `r${String(at)}`,
      ...(one.endpoint?.startsWith('/a') ? { endpoint: `/area${String(at % 500)}${one.endpoint}` } : {}),
      ...(one.descriptors?.['x'] === '1' ? { descriptors: { ...one.descriptors, x: `v${String(at)}` } } : {}),
    }));
    const large: Snapshot = { version: 1, plans: [{ plan_id: 'free' }, { plan_id: 'pro' }], rules, overrides: [] };
    const index = compileSnapshot(large);
    const requests = fc.sample(request, { seed: 3, numRuns: 300 }).map((one, at) => ({
      ...one,
      ...(one.x === '1' ? { x: `v${String(at * 16)}` } : {}),
      ...(one.endpoint?.startsWith('/a') ? { endpoint: `/area${String(at)}${one.endpoint}` } : {}),
    }));
    const winners = new Set<string>();
    for (const attributes of requests) {
      const found = index.match(attributes, NOW).map(shown);
      for (const { ruleId } of found) winners.add(ruleId);
      expect(found).toEqual(expectedMatch(large, attributes, NOW));
    }
    expect(winners.size).toBeGreaterThan(50);
  }, 20_000);

  it('whatever the order of the rules in the snapshot', () => {
    const shuffled = snapshot.chain((one) =>
      fc.tuple(fc.constant(one), fc.shuffledSubarray([...one.rules], { minLength: one.rules.length }), fc.shuffledSubarray([...one.overrides], { minLength: one.overrides.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.array(request, { maxLength: 5 }), ([one, rules, overrides], requests) => {
        const a = compileSnapshot(one);
        const b = compileSnapshot({ ...one, rules, overrides });
        for (const attributes of requests) expect(a.match(attributes, NOW)).toEqual(b.match(attributes, NOW));
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
