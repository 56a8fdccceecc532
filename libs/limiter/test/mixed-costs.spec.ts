import { createLimiter } from '../src/index.js';
import { node, rulesOf, type RuleInput } from './support/fixture.js';

const key = { key_id: 'k1' };
const RULES: readonly RuleInput[] = [
  { rule_id: 'exact', limit: 10_000, window_seconds: 60, consistency: 'exact' },
  { rule_id: 'log', limit: 10_000, window_seconds: 60, algorithm: 'sliding_log' },
  { rule_id: 'leased', limit: 10_000, window_seconds: 60 },
  { rule_id: 'denied', limit: 10_000, window_seconds: 60, algorithm: 'fixed_window', charge_denied: true },
];

describe.each(RULES)('R21 requests of several costs for one key, $rule_id', (rule) => {
  it('each takes part in one ask, and what is admitted is what is charged', async () => {
    const { limiter, store, clock } = node([rule]);
    const waiting: Promise<{ readonly allowed: boolean; readonly cost: number }>[] = [];
    for (let round = 0; round < 40; round += 1) {
      const open = store.hold();
      waiting.push(Promise.resolve(limiter.check(key)), Promise.resolve(limiter.check(key, 2)));
      await Promise.resolve();
      waiting.push(Promise.resolve(limiter.check(key)), Promise.resolve(limiter.check(key, 3)));
      open();
      for (let turn = 0; turn < 12; turn += 1) {
        await Promise.resolve();
        if (turn === 5) waiting.push(Promise.resolve(limiter.check(key)));
      }
      clock.advance(1);
    }
    const decisions = await Promise.all(waiting);
    expect(decisions.every(({ allowed }) => allowed)).toBe(true);
    await limiter.close();
    const spent = decisions.reduce((sum, { cost }) => sum + cost, 0);
    const other = createLimiter({ store, rules: rulesOf([rule]), clock });
    expect((await other.peek(key)).deciding?.remaining).toBe(10_000 - spent);
    await other.close();
  });
});
