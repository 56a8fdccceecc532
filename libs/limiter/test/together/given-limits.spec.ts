import type { Decision, Limiter, RequestPart } from '../../src/index.js';
import { node, START_MS, type RuleInput } from '../support/fixture.js';

const MINUTE = 60_000;
const minute: RuleInput = { rule_id: 'minute', policy: 'minute', limit: 5, window_seconds: 60, algorithm: 'fixed_window' };
const given = (limit: number, windowMs = MINUTE): { limit: number; windowMs: number } => ({ limit, windowMs });
const part = (attributes: RequestPart['attributes'], limit: number, cost = 1, windowMs = MINUTE): RequestPart => ({ attributes, cost, given: given(limit, windowMs) });

async function decide(limiter: Limiter, ...parts: RequestPart[]): Promise<readonly Decision[]> {
  return limiter.checkTogether(parts);
}

async function one(limiter: Limiter, asked: RequestPart): Promise<Decision> {
  const [decision] = await decide(limiter, asked);
  if (decision === undefined) throw new Error('no decision');
  return decision;
}

describe('R73 a limit that the caller names', () => {
  it('takes the place of the rules, and shares the counter of one with its window', async () => {
    const { limiter } = node([minute]);
    await limiter.check({ key_id: 'a' }, 4);
    expect(await one(limiter, part({ key_id: 'a' }, 10, 5))).toMatchObject({ allowed: true, deciding: { ruleId: 'minute', limit: 10, remaining: 1 } });
    expect(await limiter.check({ key_id: 'a' })).toMatchObject({ allowed: false, deciding: { limit: 5, remaining: 0 } });
    expect(await one(limiter, part({ key_id: 'a' }, 10, 2))).toMatchObject({ allowed: false, reason: 'quota' });
    await limiter.close();
  });

  it('of another window counts on its own, by all attributes', async () => {
    const { limiter } = node([minute]);
    const asked = (attributes: RequestPart['attributes']): Promise<boolean> => one(limiter, part(attributes, 2, 2, 1_000)).then(({ allowed }) => allowed);
    expect([await asked({ key_id: 'a' }), await asked({ key_id: 'a' }), await asked({ key_id: 'b' }), await asked({ key_id: 'a', ip: '1.2.3.4' })]).toEqual([true, false, true, true]);
    expect((await limiter.peek({ key_id: 'a' })).deciding?.remaining).toBe(5);
    expect(await one(limiter, part({ key_id: 'a' }, 9, 0, 1_000))).toMatchObject({ deciding: { ruleId: 'given', policy: 'given', windowMs: 1_000, remaining: 7 } });
    await limiter.close();
  });

  it('keeps values apart whatever they hold, addresses by their subnet', async () => {
    const { limiter } = node([]);
    const asked = (attributes: RequestPart['attributes']): Promise<boolean> => one(limiter, part(attributes, 1)).then(({ allowed }) => allowed);
    expect([await asked({ a: 'x","y', b: 'z' }), await asked({ a: 'x', b: 'y","z' }), await asked({ a: 'x', b: undefined }), await asked({ a: 'x' })]).toEqual([true, true, true, false]);
    expect([await asked({ ip: '2001:db8:1:2::1' }), await asked({ ip: '2001:db8:1:2::2' }), await asked({ ip: '2001:db8:1:3::2' })]).toEqual([true, false, true]);
    expect([await asked({ 'a,b': 'x' }), await asked({ 'a~b': 'x' }), await asked({ 'a\\u007eb': 'x' })]).toEqual([true, true, true]);
    await limiter.close();
  });

  it('has no part in the rules in shadow', async () => {
    const { limiter } = node([minute, { ...minute, rule_id: 'staged', policy: 'staged', mode: 'shadow' }]);
    expect((await one(limiter, part({ key_id: 'a' }, 3))).shadow).toEqual([]);
    expect((await limiter.peek({ key_id: 'a' })).shadow).toMatchObject([{ remaining: 5 }]);
    await limiter.close();
  });

  it('chooses the most specific of several rules with its window, and an override does not matter', async () => {
    const endpoint: RuleInput = { ...minute, rule_id: 'endpoint', policy: 'another', endpoint: 'GET /a' };
    const { limiter } = node([minute, endpoint]);
    const { deciding } = await one(limiter, part({ key_id: 'a', endpoint: 'GET /a' }, 3));
    expect(deciding?.ruleId).toBe('endpoint');
    await limiter.close();
  });

  it('beside the rule itself: what is in use afterwards has to be within both', async () => {
    const { limiter } = node([minute]);
    await limiter.check({ key_id: 'a' }, 2);
    const both = (limit: number) => decide(limiter, { attributes: { key_id: 'a' }, cost: 1 }, part({ key_id: 'a' }, limit, 1));
    expect((await both(3)).map(({ allowed }) => allowed)).toEqual([true, false]);
    expect((await both(8)).map(({ allowed, deciding }) => [allowed, deciding?.limit, deciding?.remaining])).toEqual([[true, 5, 2], [true, 8, 4]]);
    expect((await limiter.peek({ key_id: 'a' })).deciding?.remaining).toBe(1);
    await limiter.close();
  });

  it('of 0 refuses until the window is over, without the store, and whatever comes with it', async () => {
    const { limiter, store, clock } = node([minute]);
    clock.advance(20_500);
    const decisions = await decide(limiter, part({ key_id: 'a' }, 0, 1, 60_000), part({ user_id: 'u' }, 0, 1, 1_000), { attributes: { key_id: 'b' }, cost: 1 });
    expect(decisions.map(({ allowed, reason, retryAfterMs }) => [allowed, reason, retryAfterMs])).toEqual([[false, 'quota', 39_500], [false, 'quota', 500], [true, 'ok', undefined]]);
    expect(decisions[0]).toMatchObject({ deciding: { limit: 0, remaining: 0, source: 'local' } });
    expect([store.trips, (await limiter.peek({ key_id: 'b' })).deciding?.remaining]).toEqual([0, 5]);
    expect(await one(limiter, part({ key_id: 'a' }, 0, 0))).toMatchObject({ allowed: true, deciding: { limit: 0, remaining: 0 } });
    expect(await limiter.giveBack({ key_id: 'a' }, 1, given(0))).toBe(0);
    await limiter.close();
  });

  it('follows the calendar where it is a month or a year', async () => {
    const { limiter, clock } = node([]);
    const month = { attributes: { key_id: 'a' }, cost: 1, given: { limit: 1, windowMs: 2_592_000_000, calendar: { unit: 'month', timeZone: 'UTC' } } } as const;
    expect((await one(limiter, month)).allowed).toBe(true);
    const refused = await one(limiter, month);
    expect(refused.retryAfterMs).toBe(Date.UTC(2026, 1, 1) - START_MS);
    clock.set(Date.UTC(2026, 1, 1));
    expect((await one(limiter, month)).allowed).toBe(true);
    expect((await one(limiter, { ...month, given: { ...month.given, limit: 0 } })).retryAfterMs).toBe(Date.UTC(2026, 2, 1) - Date.UTC(2026, 1, 1));
    await limiter.close();
  });
});
