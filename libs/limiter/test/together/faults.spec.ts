import { StoreFault, type Decision, type Limiter, type RequestPart, type ShadowVerdict } from '../../src/index.js';
import { node, rulesOf, type RuleInput } from '../support/fixture.js';

const part = (key_id: string, cost = 1, more: Record<string, string> = {}): RequestPart => ({ attributes: { key_id, ...more }, cost });
const perKey = (limit: number, more: Partial<RuleInput> = {}): RuleInput => ({ rule_id: 'key', limit, window_seconds: 60, ...more });
const login: RuleInput = { rule_id: 'login', policy: 'login', count_by: ['user_id'], limit: 10, window_seconds: 60, on_store_failure: 'deny' };
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function together(limiter: Limiter, ...parts: RequestPart[]): Promise<readonly Decision[]> {
  return limiter.checkTogether(parts);
}

const said = (decisions: readonly Decision[]): unknown[] => decisions.map(({ allowed, reason, deciding }) => [allowed, reason, deciding?.source, deciding?.remaining]);

describe.each(['leased', 'exact'] as const)('R41 several %s parts while the store is away', (consistency) => {
  it('are decided by the node alone, all or none', async () => {
    const { limiter, store } = node([perKey(10, { consistency })], { fleetSize: 2 });
    store.fault = new StoreFault('timeout', 'no answer');
    store.takeAll = (asks) => store.take(asks);
    expect((await together(limiter, part('a', 2), part('b', 4), part('a', 1))).map(({ allowed, deciding }) => [allowed, deciding?.source])).toEqual(Array(3).fill([true, 'fallback']));
    expect((await together(limiter, part('a', 1), part('b', 2))).map(({ allowed }) => allowed)).toEqual([true, false]);
    expect((await limiter.peek({ key_id: 'a' })).deciding?.remaining).toBe(2);
    expect((await limiter.peek({ key_id: 'b' })).deciding?.remaining).toBe(1);
    await limiter.close();
  });

  it('are refused where one rule does not decide without it; the others say what they would', async () => {
    const { limiter, store } = node([perKey(10, { consistency }), login]);
    store.fault = new StoreFault('timeout', 'no answer');
    store.takeAll = (asks) => store.take(asks);
    const decisions = await together(limiter, part('a', 2), { attributes: { user_id: 'u' }, cost: 1 });
    expect(decisions.map(({ allowed, reason }) => [allowed, reason])).toEqual([[true, 'ok'], [false, 'store_unavailable']]);
    expect(decisions.flatMap(({ policies }) => policies.map(({ charge }) => charge))).toEqual([undefined, undefined]);
    expect((await limiter.peek({ key_id: 'a' })).deciding).toMatchObject({ source: 'fallback', remaining: 10 });
    await limiter.close();
  });

  it('two parts of one counter are both refused for want of it', async () => {
    const { limiter, store } = node([login]);
    store.fault = new StoreFault('timeout', 'no answer');
    const user = { attributes: { user_id: 'u' }, cost: 1 };
    expect(said(await together(limiter, user, user))).toEqual(Array(2).fill([false, 'store_unavailable', 'fallback', 0]));
    await limiter.close();
  });
});

describe('R8 parts of which one is asked while another is held', () => {
  it('give what they held back when the trip refuses', async () => {
    const { limiter, store } = node([perKey(1_000), { ...login, on_store_failure: 'allow', consistency: 'exact' }]);
    for (let at = 0; at < 3; at += 1) await limiter.check({ key_id: 'a' });
    await limiter.check({ user_id: 'u' }, 9);
    const release = store.hold();
    const pending = limiter.checkTogether([part('a', 2), { attributes: { user_id: 'u' }, cost: 2 }]);
    expect(pending).toBeInstanceOf(Promise);
    release();
    expect((await pending).map(({ allowed }) => allowed)).toEqual([true, false]);
    expect((await limiter.peek({ key_id: 'a' })).deciding?.remaining).toBe(997);
    await limiter.close();
  });
});

describe('R58 rules in shadow of several parts', () => {
  const staged = (limit: number, more: Partial<RuleInput> = {}): RuleInput => perKey(limit, { rule_id: 'staged', policy: 'staged', mode: 'shadow', consistency: 'exact', ...more });

  function watched(rules: readonly RuleInput[]) {
    const verdicts: [caller: string | undefined, verdict: ShadowVerdict][] = [];
    return { ...node(rulesOf(rules), { onShadow: (_applied, verdict, attributes) => verdicts.push([attributes.key_id, verdict]) }), verdicts };
  }

  it('count each part that is admitted, and change no answer', async () => {
    const { limiter, verdicts } = watched([perKey(10), staged(2)]);
    const decisions = await together(limiter, part('a', 2), part('b', 3));
    await soon();
    expect(decisions.map(({ allowed, shadow }) => [allowed, shadow.map((outcome) => outcome.allowed)])).toEqual([[true, [true]], [true, [false]]]);
    expect(verdicts.sort()).toEqual([['a', 'allowed'], ['b', 'denied']]);
    expect(limiter.stats().decisions.store).toBe(2);
    await limiter.close();
  });

  it('are not asked about a request that another part refuses', async () => {
    const { limiter, verdicts } = watched([perKey(10), staged(20)]);
    await limiter.check({ key_id: 'b' }, 10);
    await soon();
    verdicts.length = 0;
    expect((await together(limiter, part('a', 2), part('b', 1))).map(({ allowed }) => allowed)).toEqual([true, false]);
    await soon();
    expect(verdicts).toEqual([]);
    expect((await limiter.peek({ key_id: 'a' })).shadow).toMatchObject([{ remaining: 20 }]);
    await limiter.close();
  });

  it('are asked where all that refuse are what they would take the place of', async () => {
    const { limiter, verdicts } = watched([perKey(10), perKey(20, { rule_id: 'proposed:key', mode: 'shadow', consistency: 'exact' })]);
    await limiter.check({ key_id: 'b' }, 10);
    await soon();
    verdicts.length = 0;
    await together(limiter, part('a', 2), part('b', 1));
    await soon();
    expect(verdicts).toEqual([['a', 'allowed'], ['b', 'allowed']]);
    await limiter.close();
  });

  it('go back with their decision', async () => {
    const { limiter } = watched([perKey(10), staged(5)]);
    const [first] = await together(limiter, part('a', 2), part('b', 1));
    await soon();
    expect(first === undefined ? 0 : await limiter.refund(first)).toBe(4);
    expect((await limiter.peek({ key_id: 'a' })).shadow).toMatchObject([{ remaining: 5 }]);
    await limiter.close();
  });
});
