import { createLimiter, memoryStore } from '@sluice/limiter';
import { compileSnapshot, type AppliedRule, type Rule } from '@sluice/rules';
import { fakeClock } from '@sluice/testkit';
import { RecordingSink } from '../test/recording-sink.js';
import { ALLOWED, AT_MS, decision, outcome, REFUSED, seeded, streamTo } from '../test/support.js';

const CALLER = { plan: 'pro', endpoint: 'GET /v1/items/7', key_id: 'k-1' };

function rulesOf(...rules: readonly (Partial<Rule> & { readonly rule_id: string })[]) {
  return compileSnapshot({
    version: 5,
    plans: [{ plan_id: 'pro' }],
    rules: rules.map((rule) => ({ version: 2, limit: 2, window_seconds: 60, ...rule })),
    overrides: [{ override_id: 'o-1', rule_id: 'items', key_id: 'vip', limit: 3, expires_at: '2100-01-01T00:00:00Z' }],
  });
}

describe('R80 what a node sends of what it decides', () => {
  it('is every refusal, as the engine decided it', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink, { allowShare: 1 });
    const clock = fakeClock(AT_MS);
    const rules = rulesOf({ rule_id: 'items', endpoint: 'GET /v1/items/{id}' }, { rule_id: 'all', policy: 'total', limit: 1_000, endpoint: '*' });
    const limiter = createLimiter({ store: memoryStore(clock), rules, clock });
    for (const [attributes, cost] of [[CALLER, 2], [CALLER, 1], [{ ...CALLER, key_id: 'vip' }, 1], [CALLER, 5_000], [{ plan: 'pro' }, 1]] as const) stream.note(await limiter.check(attributes, cost), attributes);
    await Promise.all([limiter.close(), stream.close()]);
    const common = { schema_version: 1, kind: 'decision', at_ms: AT_MS, region: 'eu-west', node_id: 'gateway-7', app: 'gateway', snapshot_version: 5, sampled_share: 1 };
    expect(sink.events).toMatchObject([
      { ...common, allowed: true, reason: 'ok', cost: 2, retry_after_ms: null, attributes: CALLER, limits: [{ rule_id: 'items', rule_version: 2, policy: 'default', remaining: 0, limit: 2, window_ms: 60_000, override_id: null, allowed: true, retry_ms: 0 }, { rule_id: 'all', policy: 'total' }] },
      { ...common, allowed: false, reason: 'quota', cost: 1, limits: [{ rule_id: 'items', allowed: false, reason: 'quota' }, { rule_id: 'all', allowed: true }] },
      { ...common, allowed: true, limits: [{ rule_id: 'items', limit: 3, override_id: 'o-1' }, {}] },
      { ...common, allowed: false, reason: 'cost_exceeds_limit', cost: 5_000, retry_after_ms: null, limits: [{ retry_ms: -1, reason: 'cost_exceeds_limit' }, {}] },
      { ...common, allowed: true, reason: 'no_rule', source: 'none', limits: [] },
    ]);
    expect(sink.events[1]?.retry_after_ms).toBe(sink.events[1]?.limits[0]?.retry_ms);
  });

  it('of rules in shadow is what they would have refused, R58', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink);
    const clock = fakeClock(AT_MS);
    const limiter = createLimiter({ store: memoryStore(clock), rules: rulesOf({ rule_id: 'tight', mode: 'shadow', limit: 1, endpoint: '*' }), clock, onShadow: stream.noteShadow });
    for (let at = 0; at < 3; at += 1) await limiter.check(CALLER);
    await limiter.close();
    const rule = { rule: { ruleId: 'r', policy: 'p', version: 1 }, quota: { limit: 1, windowMs: 1 }, overrideId: undefined } as AppliedRule;
    for (const verdict of ['allowed', 'unknown'] as const) stream.noteShadow(rule, verdict, CALLER, AT_MS);
    await stream.close();
    const shadow = { kind: 'shadow', allowed: false, reason: 'shadow', source: 'none', cost: 0, retry_after_ms: null, sampled_share: 1, snapshot_version: 812, at_ms: AT_MS, attributes: CALLER, limits: [{ rule_id: 'tight', allowed: false, limit: 1, window_ms: 60_000, reason: 'quota' }] };
    expect(sink.events).toMatchObject([shadow, shadow]);
  });

  it('of requests without credentials is each, R84', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink);
    stream.noteUnauthenticated('no_credentials', { ip: '203.0.113.9' });
    stream.noteUnauthenticated('unknown_credentials', {});
    await stream.close();
    const common = { kind: 'unauthenticated', allowed: false, source: 'none', cost: 0, sampled_share: 1, snapshot_version: 812, at_ms: AT_MS, limits: [] };
    expect(sink.events).toMatchObject([{ ...common, reason: 'no_credentials', attributes: { ip: '203.0.113.9' } }, { ...common, reason: 'unknown_credentials', attributes: {} }]);
    expect(sink.messages.map(({ key }) => key)).toEqual(['203.0.113.9', '']);
  });

  it('of allows is a share, and each says which', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink, { allowShare: 0.05, ruleShares: new Map([['search', 0.5]]), random: seeded(9) });
    const search = decision(outcome(), outcome({ ruleId: 'search' }));
    for (let at = 0; at < 10_000; at += 1) stream.note(at % 2 === 0 ? ALLOWED : search, CALLER);
    await stream.close();
    const shares = sink.events.map(({ sampled_share }) => sampled_share);
    expect(new Set(shares)).toEqual(new Set([0.05, 0.5]));
    // What they stand for is what there was.
    for (const share of [0.05, 0.5]) expect(Math.abs(shares.filter((one) => one === share).length / share - 5_000)).toBeLessThan(4 * Math.sqrt((5_000 * (1 - share)) / share));
    expect(stream.stats()).toMatchObject({ offered: shares.length, sent: shares.length, sampledOut: 10_000 - shares.length });
  });

  it('of allows that cost more than a thousand millions is each', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink, { allowShare: 1e-6, ruleShares: new Map([['search', 0]]), random: seeded(9) });
    for (const cost of [1, 1_000_000_000, 1_000_000_001, Number.MAX_SAFE_INTEGER]) for (const one of [ALLOWED, decision(outcome({ ruleId: 'search' }))]) stream.note({ ...one, cost }, CALLER);
    await stream.close();
    expect(sink.events.map(({ cost, sampled_share }) => [cost, sampled_share])).toEqual([[1_000_000_001, 1], [1_000_000_001, 1], [Number.MAX_SAFE_INTEGER, 1], [Number.MAX_SAFE_INTEGER, 1]]);
  });

  it('has ids by one producer in the order of sending, another one each start, and gaps for what was dropped', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink, { capacity: 4 });
    for (let at = 0; at < 6; at += 1) stream.note(REFUSED, CALLER);
    while (stream.stats().waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stream.note(REFUSED, CALLER);
    await stream.close();
    const ids = sink.events.map(({ event_id }) => event_id.split(':'));
    expect(ids.map(([, sequence]) => sequence)).toEqual(['1', '2', '3', '4', '7']);
    expect(new Set(ids.map(([producer]) => producer)).size).toBe(1);
    expect(ids[0]?.[0]).toMatch(/^[\w-]{16}$/);
    const other = streamTo(sink);
    other.note(REFUSED, CALLER);
    await other.close();
    expect(sink.events.at(-1)?.event_id).not.toContain(ids[0]?.[0]);
  });

  it('has the standard attributes and those that are named, never another one', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink, { attributes: ['region', 'ip', 'constructor'] });
    const all = { domain: 'd', plan: 'p', endpoint: 'e', key_id: 'k', tenant_id: 't', user_id: 'u', ip: '::1' };
    stream.note(REFUSED, { ...all, region: 'eu', authorization: 'Bearer secret', plan: undefined });
    stream.note(REFUSED, { ...all, ip: 7 as unknown as string, tenant_id: 'x'.repeat(300) });
    await stream.close();
    const { plan: _plan, ...withoutPlan } = all;
    expect(sink.events[0]?.attributes).toEqual({ ...withoutPlan, region: 'eu' });
    expect(sink.events[1]?.attributes).toEqual({ domain: 'd', plan: 'p', endpoint: 'e', key_id: 'k', user_id: 'u', tenant_id: expect.stringMatching(/^x{238}…#[0-9a-f]{16}$/) });
  });

  it.each([
    [{ key_id: 'k', tenant_id: 't', ip: 'i' }, 'k'],
    [{ tenant_id: 't', ip: 'i' }, 't'],
    [{ ip: 'i', user_id: 'u' }, 'i'],
    [{ user_id: 'u' }, ''],
    [{ key_id: 'a\ud800' }, 'a\ufffd'],
  ])('goes by the key of %j', async (attributes, key) => {
    const sink = new RecordingSink();
    const stream = streamTo(sink);
    stream.note(REFUSED, attributes);
    await stream.close();
    expect(sink.messages.map((message) => message.key)).toEqual([key]);
  });

  it('names at most 32 limits, the deciding one first', async () => {
    const sink = new RecordingSink();
    const stream = streamTo(sink);
    const others = Array.from({ length: 40 }, (_, at) => outcome({ ruleId: `r${at}` }));
    const deciding = outcome({ ruleId: 'tight', allowed: false, reason: 'quota' });
    stream.note({ ...decision(deciding), policies: [...others, deciding] }, CALLER);
    await stream.close();
    expect(sink.events[0]?.limits.map(({ rule_id }) => rule_id)).toEqual(['tight', ...Array.from({ length: 31 }, (_, at) => `r${at}`)]);
  });
});
