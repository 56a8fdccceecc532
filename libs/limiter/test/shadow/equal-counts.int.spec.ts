import { compileSnapshot, type RequestAttributes, type Rule } from '@sluice/rules';
import { createLimiter, type Limiter, type ShadowVerdict } from '../../src/index.js';
import { freshKey, STORES } from '../support/stores.js';

const live: Rule = { rule_id: 'live', version: 1, limit: 6, window_seconds: 10, algorithm: 'sliding_counter', consistency: 'exact' };
const beside: Rule = { ...live, rule_id: 'tenants', policy: 'tenants', count_by: ['tenant_id'], limit: 40 };

/** Requests with time between them: three keys of two tenants, one of them busy. */
function* traffic(count: number): Generator<{ readonly attributes: RequestAttributes; readonly cost: number; readonly afterMs: number }> {
  for (let at = 0, seed = 58; at < count; at += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    const key = ['busy', 'busy', 'busy', 'calm', 'other'][seed % 5] ?? 'busy';
    yield { attributes: { plan: 'free', endpoint: seed % 3 === 0 ? 'GET /search' : 'GET /items', key_id: key, tenant_id: key === 'other' ? 't2' : 't1' }, cost: seed % 7 === 0 ? 2 : 1, afterMs: seed % 400 };
  }
}

/** By key: requests that would be refused by this rule. */
type Refusals = Record<string, number>;

function limiterOf(store: Parameters<typeof createLimiter>[0]['store'], clock: { nowMs(): number }, rules: readonly Rule[], denied?: Refusals): Limiter {
  const onShadow = (_rule: unknown, verdict: ShadowVerdict, { key_id = '' }: RequestAttributes): void => {
    if (verdict === 'unknown') throw new Error('the store answers');
    if (denied !== undefined && verdict === 'denied') denied[key_id] = (denied[key_id] ?? 0) + 1;
  };
  const index = compileSnapshot({ version: 1, plans: [{ plan_id: 'free' }], rules, overrides: [] });
  return createLimiter({ store, clock, rules: index, keyPrefix: freshKey().slice(2, 10), onShadow });
}

describe.each(STORES)('R58 on %s a rule in shadow counts what it would refuse', (_name, open) => {
  it.each<[string, Partial<Rule>, readonly Rule[]]>([
    ['a lower limit', { limit: 3 }, []],
    ['a higher limit, which admits what the one in force refuses', { limit: 9 }, []],
    ['another algorithm', { algorithm: 'token_bucket', burst: 4 }, []],
    ['a route of its own, where the one in force goes on elsewhere', { limit: 3, endpoint: 'GET /search' }, []],
    ['beside a limit of another policy that is not reached', { limit: 4 }, [{ ...beside, limit: 1_000 }]],
    ['counted by tenant', { limit: 8, count_by: ['tenant_id'] }, []],
    ['charging denials', { limit: 4, charge_denied: true }, []],
  ])('%s', async (_case, change, others) => {
    const proposal: Rule = { ...live, ...change };
    const { store, clock } = await open();
    const startMs = clock.nowMs();
    const enforced: Refusals = {};
    const shadowed: Refusals = {};
    // With a route of its own it is another rule, else a new version of the one in force.
    const isNew = change.endpoint !== undefined;
    const rest = isNew ? [live, ...others] : others;
    const a = limiterOf(store, clock, [...rest, { ...proposal, rule_id: isNew ? 'own' : 'live' }]);
    for (const { attributes, cost, afterMs } of traffic(300)) {
      clock.advance(afterMs);
      const { policies } = await a.check(attributes, cost);
      const refused = policies.some(({ ruleId, allowed }) => ruleId === (isNew ? 'own' : 'live') && !allowed);
      if (refused) enforced[attributes.key_id ?? ''] = (enforced[attributes.key_id ?? ''] ?? 0) + 1;
    }
    await a.close();
    clock.set(startMs);
    const b = limiterOf(store, clock, [live, ...others, { ...proposal, rule_id: isNew ? 'own' : 'proposed:live', mode: 'shadow' }], shadowed);
    for (const { attributes, cost, afterMs } of traffic(300)) {
      clock.advance(afterMs);
      await b.check(attributes, cost);
      // In this test requests come one after the other, on both sides.
      if (store.takeNow === undefined) await b.peek(attributes, 0);
    }
    await b.close();
    await store.close();
    expect(Object.values(enforced).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
    expect(shadowed).toEqual(enforced);
  }, 30_000);

  it('of requests that a limit of another policy refuses it is not asked', async () => {
    const { store, clock } = await open();
    const seen: ShadowVerdict[] = [];
    const rules = [{ ...beside, limit: 5 }, { ...live, limit: 100 }, { ...live, rule_id: 'proposed:live', limit: 3, mode: 'shadow' as const }];
    const limiter = createLimiter({ store, clock, rules: compileSnapshot({ version: 1, plans: [], rules, overrides: [] }), keyPrefix: freshKey().slice(2, 10), onShadow: (_rule, verdict) => seen.push(verdict) });
    for (let at = 0; at < 12; at += 1) await limiter.check({ key_id: 'k', tenant_id: 't' });
    await limiter.close();
    await store.close();
    expect(seen.sort()).toEqual(['allowed', 'allowed', 'allowed', 'denied', 'denied']);
  });

  it('leased, within what leases may hold: 2 % of the limit a node', async () => {
    const { store, clock } = await open();
    const rule: Rule = { ...live, limit: 200, window_seconds: 10, algorithm: 'fixed_window', consistency: 'leased' };
    const run = async (rules: readonly Rule[], refusedOf: (refusals: Refusals, allowed: boolean) => number): Promise<number> => {
      const refusals: Refusals = {};
      const keyPrefix = freshKey().slice(2, 10);
      const index = compileSnapshot({ version: 1, plans: [], rules, overrides: [] });
      const note = (_rule: unknown, verdict: ShadowVerdict): void => void (refusals[verdict] = (refusals[verdict] ?? 0) + 1);
      const nodes = [1, 2, 3].map(() => createLimiter({ store, clock, rules: index, keyPrefix, onShadow: note }));
      let refused = 0;
      for (let at = 0; at < 900; at += 1) {
        if (at % 3 === 0) clock.advance(10);
        const decision = await nodes[at % 3]?.check({ key_id: 'k' });
        refused += Number(decision?.allowed === false);
        if (store.takeNow === undefined) await nodes[at % 3]?.peek({ key_id: 'k' }, 0);
      }
      await Promise.all(nodes.map((node) => node.close()));
      return refusedOf(refusals, true) + (rules.length === 1 ? refused : 0);
    };
    const startMs = clock.nowMs();
    const enforced = await run([rule], () => 0);
    clock.set(startMs);
    const shadowed = await run([{ ...rule, limit: 2_000 }, { ...rule, rule_id: 'proposed:live', mode: 'shadow' }], ({ denied = 0 }) => denied);
    await store.close();
    expect(enforced).toBeGreaterThanOrEqual(690);
    expect(Math.abs(shadowed - enforced)).toBeLessThanOrEqual(3 * 0.02 * 200);
  }, 30_000);
});
