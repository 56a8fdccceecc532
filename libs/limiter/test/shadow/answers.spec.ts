import { fixedLeases, StoreFault, type ShadowVerdict } from '../../src/index.js';
import { allowed, checks, node, rulesOf, type RuleInput } from '../support/fixture.js';

const key = { key_id: 'k1' };
const live: RuleInput = { rule_id: 'live', limit: 1_000, window_seconds: 60 };
const staged: RuleInput = { rule_id: 'staged', policy: 'trial', limit: 3, window_seconds: 60, consistency: 'exact', mode: 'shadow' };
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function watched(rules: readonly RuleInput[]) {
  const verdicts: [ruleId: string, verdict: ShadowVerdict][] = [];
  const made = node(rulesOf(rules), { sizing: fixedLeases(100), random: () => 0.5, onShadow: ({ rule }, verdict) => verdicts.push([rule.ruleId, verdict]) });
  return { ...made, verdicts };
}

describe('R58 rules in shadow', () => {
  it('count what they would refuse and change no answer', async () => {
    const { limiter, verdicts } = watched([live, staged]);
    const decisions = await checks(limiter, 10, key);
    await limiter.close();
    expect(allowed(decisions)).toBe(10);
    expect(decisions.map(({ shadow }) => shadow[0]?.allowed)).toEqual([...Array(3).fill(true), ...Array(7).fill(false)]);
    expect(decisions.every(({ policies }) => policies.length === 1)).toBe(true);
    expect(verdicts).toEqual(decisions.map(({ shadow }) => ['staged', shadow[0]?.allowed === true ? 'allowed' : 'denied']));
  });

  it('are not waited for: the decision is there at once, what they would say when their trip is back', async () => {
    const { limiter, store, verdicts } = watched([live, staged]);
    await limiter.check(key);
    await soon();
    const release = store.hold();
    const decision = limiter.check(key);
    if (decision instanceof Promise) throw new Error('it waits');
    expect(decision).toMatchObject({ allowed: true, deciding: { ruleId: 'live', source: 'local' }, shadow: [] });
    await soon();
    expect(verdicts).toHaveLength(1);
    release();
    await soon();
    expect(decision.shadow).toMatchObject([{ ruleId: 'staged', allowed: true }]);
    expect(verdicts).toHaveLength(2);
    await limiter.close();
  });

  it('are not waited for either where the answer takes a trip of its own', async () => {
    const { limiter, store } = watched([{ ...live, consistency: 'exact' }, staged]);
    let trips = 0;
    const take = store.take.bind(store);
    let release = (): void => undefined;
    store.take = (asks) => {
      trips += 1;
      if (trips > 1) release = store.hold();
      return take(asks);
    };
    expect(await limiter.check(key)).toMatchObject({ allowed: true, deciding: { source: 'store' }, shadow: [] });
    await soon();
    expect(trips).toBe(2);
    release();
    await limiter.close();
  });

  it('known failure 25: a store that fails is no outcome, neither allowed nor denied', async () => {
    const { limiter, store, verdicts } = watched([live, staged]);
    await limiter.check(key);
    await soon();
    store.fault = new StoreFault('timeout', 'no answer');
    const decision = await limiter.check(key);
    await soon();
    expect(decision).toMatchObject({ allowed: true, deciding: { source: 'local' } });
    expect(decision.shadow).toEqual([]);
    expect(verdicts.map(([, verdict]) => verdict)).toEqual(['allowed', 'unknown']);
    await limiter.close();
  });

  it.each<[string, 'well' | 'slow' | 'dead']>([['that is well', 'well'], ['that is slow', 'slow'], ['that is dead', 'dead']])('leave every answer as it is, on a store %s', async (_name, state) => {
    const answers = await Promise.all(
      [[live, { ...live, rule_id: 'few', policy: 'few', limit: 5 }], [live, { ...live, rule_id: 'few', policy: 'few', limit: 5 }, staged, { ...staged, rule_id: 'proposed:few', policy: 'few' }]].map(async (rules) => {
        const { limiter, store, clock } = watched(rules);
        if (state === 'dead') store.fault = new StoreFault('timeout', 'no answer');
        const release = state === 'slow' ? store.hold() : undefined;
        const asked = checks(limiter, 12, key);
        await soon();
        release?.();
        const decisions = await asked;
        clock.advance(1_000);
        decisions.push(...(await checks(limiter, 3, key)));
        await limiter.close();
        return decisions.map((decision) => JSON.stringify({ ...(JSON.parse(JSON.stringify(decision)) as object), shadow: undefined }));
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });

  it('give back what they were charged when the request is refunded, also when that came first', async () => {
    const { limiter, store } = watched([live, staged]);
    await limiter.check(key);
    const release = store.hold();
    const decision = await limiter.check(key);
    await limiter.refund(decision);
    release();
    await soon();
    await soon();
    expect((await limiter.peek(key)).shadow).toMatchObject([{ ruleId: 'staged', remaining: 2 }]);
    await limiter.close();
  });

  it('R9 are not counted by a peek', async () => {
    const { limiter, verdicts } = watched([live, staged]);
    expect(await limiter.peek(key, 4)).toMatchObject({ allowed: true, shadow: [{ ruleId: 'staged', allowed: false }] });
    expect(verdicts).toEqual([]);
    await limiter.close();
  });
});
