import { compileRule } from './compile-rule.js';
import { overriddenQuota, quotaOf } from './quota-of.js';
import type { Rule } from './rule.js';

const rule: Rule = { rule_id: 'free', version: 3, limit: 5, window_seconds: 1.5 };

describe('compiled rules', () => {
  it('have every default filled in', () => {
    expect(compileRule(rule)).toEqual({
      ruleId: 'free',
      version: 3,
      replaces: undefined,
      policy: 'default',
      mode: 'enforce',
      quota: { algorithm: 'sliding_counter', limit: 5, windowMs: 1_500, burst: 5, subBuckets: 1, shape: false, chargeDenied: false },
      countBy: ['key_id'],
      identity: 'free~sc1500',
      onStoreFailure: 'allow',
      consistency: 'leased',
      regionMode: 'merged',
      maxLease: undefined,
      shards: 1,
    });
  });

  it('R10 carry a calendar', () => {
    const calendar = { unit: 'month', time_zone: 'Europe/Berlin' } as const;
    const { quota } = compileRule({ ...rule, algorithm: 'fixed_window', window_seconds: 2_592_000, calendar });
    expect(quota.calendar).toEqual({ unit: 'month', timeZone: 'Europe/Berlin' });
  });
});

describe('R61 the counting identity', () => {
  const identity = (fields: Partial<Rule>): string => compileRule({ ...rule, ...fields }).identity;

  it.each<[string, Partial<Rule>]>([
    ['limit', { limit: 500 }],
    ['version', { version: 4 }],
    ['policy and mode', { policy: 'other', mode: 'shadow' }],
    ['plan and endpoint', { plan: 'pro', endpoint: '/x' }],
    ['default attributes spelled out', { count_by: ['key_id'], sub_buckets: 1, algorithm: 'sliding_counter' }],
  ])('does not depend on %s', (_name, fields) => {
    expect(identity(fields)).toBe(identity({}));
  });

  it('does not depend on the burst', () => {
    expect(identity({ algorithm: 'gcra', burst: 50 })).toBe(identity({ algorithm: 'gcra' }));
  });

  it('is another one for another rule, algorithm, window, sub-buckets or attributes', () => {
    const day = { algorithm: 'fixed_window', window_seconds: 86_400 } as const;
    const identities = [
      ...[{}, { rule_id: 'fre' }, { rule_id: 'free2' }, { window_seconds: 1 }, { window_seconds: 15 }, { sub_buckets: 5 }],
      ...(['fixed_window', 'sliding_log', 'token_bucket', 'leaky_bucket', 'gcra'] as const).map((algorithm) => ({ algorithm })),
      ...[{ count_by: ['ip'] }, { count_by: ['ip', 'key_id'] }, { count_by: ['key_id', 'ip'] }, { count_by: ['key_idip'] }, { count_by: ['0'] }],
      ...[day, ...['UTC', 'Europe/Berlin'].map((time_zone) => ({ ...day, calendar: { unit: 'day', time_zone } as const }))],
    ].map(identity);
    expect(new Set(identities).size).toBe(identities.length);
  });
});

describe('R10 the quota of an override', () => {
  const bucket = quotaOf({ algorithm: 'gcra', limit: 3, burst: 10, window_seconds: 1 });

  it.each([
    [6, 20],
    [1, 3],
    [4, 13],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [2_251_799_813_685_249, 7_505_999_378_950_830],
  ])('limit %d scales the burst to %d', (limit, burst) => {
    expect(overriddenQuota(bucket, { limit })).toEqual({ ...bucket, limit, burst });
  });

  it('has a burst of at least 1', () => {
    expect(overriddenQuota({ ...bucket, limit: 100, burst: 1 }, { limit: 10 }).burst).toBe(1);
  });

  it('has no burst but the limit where the algorithm has none', () => {
    expect(overriddenQuota(quotaOf(rule), { limit: 50 })).toEqual({ ...quotaOf(rule), limit: 50, burst: 50 });
  });
});
