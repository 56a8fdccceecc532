import { ALGORITHMS } from '@sluice/algorithms';
import { allowed, checks, node, rulesOf, START_MS, type RuleInput } from './support/fixture.js';

const key = { key_id: 'k1' };
const RULE = { rule_id: 'r', window_seconds: 60 };

/** With and without leases, on credit, and over several counters. */
const KINDS: readonly (readonly [string, Partial<RuleInput>])[] = [
  ['leased', {}],
  ['exact', { consistency: 'exact' }],
  ['approximate', { consistency: 'approximate' }],
  ['split', { shards: 4, consistency: 'exact' }],
];

describe.each(ALGORITHMS)('R3 R61 a caller who was idle until all was free, %s', (algorithm) => {
  const kinds = KINDS.filter(([kind]) => kind !== 'split' || algorithm !== 'sliding_log');

  it.each(kinds)('%s: has the whole of a lower limit, though no sweep came by', async (_, kind) => {
    const version = (number: number, limit: number) => rulesOf([{ ...RULE, ...kind, algorithm, version: number, limit }], { version: number });
    const { limiter, clock } = node(version(1, 400));
    expect(allowed(await checks(limiter, 400, key))).toBe(400);
    clock.advance(120_000);
    limiter.use(version(2, 8));
    expect((await limiter.peek(key)).deciding?.remaining).toBe(8);
    expect(allowed(await checks(limiter, 20, key))).toBe(8);
    await limiter.close();
  });

  it.each(kinds)('%s: has the whole limit after an override has ended', async (_, kind) => {
    const overrides = [{ override_id: 'o', rule_id: 'r', key_id: 'k1', limit: 400, expires_at: new Date(START_MS + 30_000).toISOString() }];
    const { limiter, clock } = node(rulesOf([{ ...RULE, ...kind, algorithm, limit: 8 }], { overrides }));
    expect(allowed(await checks(limiter, 400, key))).toBe(400);
    clock.advance(600_000);
    expect(allowed(await checks(limiter, 20, key))).toBe(8);
    await limiter.close();
  });
});

describe.each(['token_bucket', 'leaky_bucket', 'gcra'] as const)('R9 R61 a lower limit on a level that drains, %s', (algorithm) => {
  const version = (number: number, limit: number) => rulesOf([{ ...RULE, algorithm, version: number, limit }], { version: number });

  it('refuses until what was used has drained as it was charged, also after a lease came back', async () => {
    const { limiter, clock } = node(version(1, 600));
    expect(allowed(await checks(limiter, 500, key))).toBe(500);
    clock.advance(1_000);
    limiter.use(version(2, 6));
    expect(allowed(await checks(limiter, 3, key))).toBe(0);
    clock.advance(59_000);
    expect(allowed(await checks(limiter, 20, key))).toBe(6);
    await limiter.close();
  });

  it('does not keep a reservation for longer that is settled late', async () => {
    const { limiter, clock } = node(version(1, 600));
    const { id } = await limiter.reserve(key, 600);
    clock.advance(30_000);
    limiter.use(version(2, 6));
    if (id === undefined) throw new Error('refused');
    expect(await limiter.settle(id, 599)).toMatchObject({ status: 'settled', returned: 1 });
    clock.advance(30_000);
    expect(allowed(await checks(limiter, 20, key))).toBe(6);
    await limiter.close();
  });
});
