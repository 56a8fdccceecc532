import { type Rule, reviewRules } from '@sluice/rules';
import fc from 'fast-check';
import { mayMeet } from './may-meet.js';

const quota = { version: 1, limit: 5, window_seconds: 1 };
const method = fc.constantFrom('', 'GET ', 'POST ');
const segments = fc.array(fc.constantFrom('a', 'ab', '{x}', '{y}'), { maxLength: 3 });
const end = fc.constantFrom('', '/', '/*');
const route = fc.tuple(method, segments, end).map(([verb, parts, tail]) => `${verb}${parts.map((part) => `/${part}`).join('')}${parts.length === 0 && tail === '' ? '/' : tail}`);
const rule = fc
  .record(
    {
      endpoint: fc.oneof({ arbitrary: route, weight: 5 }, { arbitrary: fc.constantFrom('*', 'GET *', '/*'), weight: 1 }),
      domain: fc.constantFrom('shop', 'edge'),
      descriptors: fc.dictionary(fc.constantFrom('user_id', 'region'), fc.constantFrom('*', '1', '2'), { maxKeys: 2 }),
      count_by: fc.constantFrom(['key_id'], ['user_id'], ['user_id', 'region']),
      mode: fc.constantFrom('enforce' as const, 'enforce' as const, 'enforce' as const, 'shadow' as const),
    },
    { requiredKeys: [] },
  )
  .map((fields): Rule => ({ ...quota, ...fields, rule_id: 'a' }));
/** Half of the time the second has much in common with the first: pairs that meet are rare otherwise. */
const pairs = fc.tuple(rule, rule, fc.boolean(), fc.boolean()).map(([a, b, isNear, isNearRoute]): readonly [Rule, Rule] => {
  const { descriptors: _descriptors, endpoint: _endpoint, ...common } = a;
  return [a, { ...b, ...(isNear ? common : {}), ...(isNearRoute && a.endpoint !== undefined ? { endpoint: a.endpoint } : {}), rule_id: 'b' }];
});

describe('R57 the quick look before the review of a write', () => {
  it('leaves out no pair that the review finds something in', () => {
    let conflicts = 0;
    let shadows = 0;
    let spared = 0;
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const { faults, warnings } = reviewRules([a, b]);
        if (faults.length > 0) conflicts += 1;
        if (warnings.length > 0) shadows += 1;
        if (!mayMeet(a, b)) spared += 1;
        if (faults.length + warnings.length > 0) expect([mayMeet(a, b), mayMeet(b, a)]).toEqual([true, true]);
      }),
      { numRuns: 20_000, seed: 57 },
    );
    // It looked at enough of each kind.
    expect([conflicts, shadows, spared].map((count) => count >= 200)).toEqual([true, true, true]);
  });
});
