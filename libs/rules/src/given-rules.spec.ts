import { compileSnapshot } from './compile-snapshot.js';
import { assertGivenLimit } from './given-limit.js';
import { GivenRules } from './given-rules.js';
import type { Rule } from './rule.js';

const NOW_MS = Date.UTC(2026, 0, 1);
const minute: Rule = { rule_id: 'minute', version: 3, limit: 5, window_seconds: 60 };

function matching(rules: readonly Rule[], attributes: Record<string, string>) {
  const overrides = [{ override_id: 'o', rule_id: 'minute', key_id: 'vip', limit: 50, expires_at: '2027-01-01T00:00:00Z' }];
  return compileSnapshot({ version: 1, plans: [], rules, overrides }).match(attributes, NOW_MS);
}

describe('R73 a given limit as a rule', () => {
  const given = new GivenRules();
  const of = (rules: readonly Rule[], attributes: Record<string, string>, limit: number, windowMs = 60_000) => given.of(matching(rules, attributes), attributes, { limit, windowMs });

  it('is another limit of the rule that has its window, burst in proportion', () => {
    const bucket: Rule = { ...minute, algorithm: 'token_bucket', burst: 10 };
    const { applied, attributes } = of([bucket], { key_id: 'a' }, 20);
    expect(applied).toMatchObject({ rule: { ruleId: 'minute', version: 3 }, quota: { algorithm: 'token_bucket', limit: 20, burst: 40 }, overrideId: undefined });
    expect(attributes).toEqual({ key_id: 'a' });
    expect(of([bucket], { key_id: 'a' }, 0).applied.quota).toMatchObject({ limit: 0, burst: 0 });
  });

  it('goes before an override, shares no rule in shadow, and of several that of the most specific', () => {
    expect(of([minute], { key_id: 'vip' }, 7).applied).toMatchObject({ quota: { limit: 7 }, overrideId: undefined });
    expect(of([{ ...minute, mode: 'shadow' }], { key_id: 'a' }, 7).applied.rule.ruleId).toBe('given');
    const rules: Rule[] = [
      { ...minute, rule_id: 'a', policy: 'a' },
      { ...minute, rule_id: 'b', policy: 'b', endpoint: 'GET /x' },
      { ...minute, rule_id: 'c', policy: 'c', descriptors: { x: 'y' } },
      { ...minute, rule_id: 'd', policy: 'd', endpoint: 'GET /x', descriptors: { x: 'y' }, window_seconds: 1 },
    ];
    expect(of(rules, { key_id: 'k', endpoint: 'GET /x', x: 'y' }, 7).applied.rule.ruleId).toBe('b');
  });

  it('of a window of its own is a rule by all attributes, the same object for the same limit', () => {
    const first = of([minute], { b: '2', a: '1' }, 7, 1_000);
    const second = of([minute], { a: '1', b: '2' }, 7, 1_000);
    expect(first.applied).toBe(second.applied);
    expect(first.attributes).toEqual(second.attributes);
    expect(first.applied.rule).toMatchObject({ ruleId: 'given', policy: 'given', mode: 'enforce', onStoreFailure: 'allow', quota: { algorithm: 'fixed_window', windowMs: 1_000 } });
    expect(of([minute], { a: '1' }, 7, 1_000).applied.rule.identity).not.toBe(first.applied.rule.identity);
    expect(of([{ ...minute, rule_id: 'given', algorithm: 'fixed_window', count_by: ['given'], window_seconds: 2 }], { given: 'x' }, 7, 1_000).applied.rule.identity).not.toContain('given~');
  });

  it('shares no fixed window with a calendar, nor one of another zone', () => {
    const berlin: Rule = { ...minute, algorithm: 'fixed_window', window_seconds: 2_592_000, calendar: { unit: 'month', time_zone: 'Europe/Berlin' } };
    const month = (calendar?: { unit: 'month'; timeZone: string }) => given.of(matching([berlin], { key_id: 'a' }), { key_id: 'a' }, { limit: 1, windowMs: 2_592_000_000, calendar }).applied.rule.ruleId;
    expect([month({ unit: 'month', timeZone: 'Europe/Berlin' }), month({ unit: 'month', timeZone: 'UTC' }), month()]).toEqual(['minute', 'given', 'given']);
  });

  it('R30 of ever new limits and windows forgets the old ones', () => {
    const first = of([minute], { key_id: 'a' }, 1_000_000);
    for (let limit = 1; limit <= 2_500; limit += 1) of([minute], { key_id: 'a' }, limit);
    expect(of([minute], { key_id: 'a' }, 1_000_000).applied).not.toBe(first.applied);
    for (let windowMs = 100; windowMs <= 2_600; windowMs += 1) of([minute], { key_id: 'a' }, 1, windowMs);
    expect(of([minute], { key_id: 'a' }, 1, 100).applied.quota.windowMs).toBe(100);
  });

  it.each([
    [{ limit: -1, windowMs: 1_000 }, /limit/],
    [{ limit: 1.5, windowMs: 1_000 }, /limit/],
    [{ limit: 1, windowMs: 99 }, /windowMs/],
    [{ limit: 1, windowMs: 31_622_400_001 }, /windowMs/],
    [{ limit: 1, windowMs: 1_000, calendar: { unit: 'month', timeZone: '+01:00' } as const }, /time zone/],
  ])('%j is none', (bad, message) => {
    expect(() => assertGivenLimit(bad)).toThrow(message);
  });
});
