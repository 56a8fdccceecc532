import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter, type Decision, memoryStore, systemClock } from '@sluice/limiter';
import { rateLimitHeaders, RemoteDecider } from '@sluice/middleware';
import { compileSnapshot, type RequestAttributes, type Rule } from '@sluice/rules';
import { snapshotOf, type Stage, startStage } from '../../decision/test/running-decision.js';

const RULES: readonly Rule[] = [
  { rule_id: 'per-key', version: 3, policy: 'default', limit: 4, window_seconds: 60, algorithm: 'fixed_window' },
  { rule_id: 'search', version: 1, policy: 'search', endpoint: 'GET /search', count_by: ['ip'], limit: 2, window_seconds: 3600, algorithm: 'fixed_window' },
  { rule_id: 'shaped', version: 1, policy: 'shaped', descriptors: { rule: 'mail' }, limit: 10, window_seconds: 1, algorithm: 'leaky_bucket', shape: true },
];

describe('R72 R75 the decision service, asked by a skin’s decider', () => {
  let stage: Stage;
  let remote: RemoteDecider;
  beforeEach(async () => {
    stage = await startStage({ rules: RULES });
    remote = new RemoteDecider({ url: stage.decision.url, onFailure: 'deny', timeoutMs: 2_000 });
  });
  afterEach(async () => {
    await remote.close();
    await stage.close();
  });

  it('says what an engine in this process says of the same requests, in whole seconds', async () => {
    const local = createLimiter({ store: memoryStore(systemClock()), rules: compileSnapshot(snapshotOf(7, RULES)) });
    const requests: [RequestAttributes, number][] = [
      [{ key_id: 'k1' }, 1],
      [{ key_id: 'k1', endpoint: 'GET /search', ip: '192.0.2.1' }, 2],
      [{ key_id: 'k1', endpoint: 'GET /search', ip: '192.0.2.1' }, 1],
      [{ key_id: 'k1', endpoint: undefined }, 5],
      [{ key_id: 'k1' }, 0],
      [{ ip: '192.0.2.1', rule: 'mail' }, 3],
      [{ key_id: 'k1', rule: 'mail' }, 2],
      [{ tenant_id: 't1' }, 1],
    ];
    for (const [attributes, cost] of requests) {
      const [there, here] = [await remote.check(attributes, cost), await local.check(attributes, cost)];
      expect(said(there)).toEqual(said(here));
      expect(Math.abs(Number(rateLimitHeaders(there)['X-RateLimit-Reset']) - Number(rateLimitHeaders(here)['X-RateLimit-Reset'])) || 0).toBeLessThanOrEqual(1);
    }
    await local.close();
  });

  it('R9 R14 gives back what it was told to keep, once, and settles', async () => {
    const decision = await remote.check({ key_id: 'k1' }, 3, { refundable: true });
    expect((await remote.peek({ key_id: 'k1' })).deciding?.remaining).toBe(1);
    expect(await remote.refund(decision)).toBe(3);
    expect(await remote.refund(decision)).toBe(0);
    expect((await remote.peek({ key_id: 'k1' })).deciding?.remaining).toBe(4);
    const { id, expiresAtMs } = await remote.reserve({ key_id: 'k1' }, 4, { ttlMs: 30_000 });
    if (id === undefined) throw new Error('not reserved');
    expect(Math.abs((expiresAtMs ?? 0) - Date.now() - 30_000)).toBeLessThan(5_000);
    expect(await remote.settle(id, 1)).toEqual({ status: 'settled', charged: 1, returned: 3, indebted: 0 });
    expect(await remote.settle(id, 1)).toMatchObject({ status: 'unknown' });
  });

  it('R45 calls what the service does not take a bug of the caller', async () => {
    await expect(remote.check(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a${at}`, 'x'])))).rejects.toThrow(/descriptors/);
    expect(remote.stats().failed).toBe(0);
  });
});

it('R72 the decider speaks to the service over its Unix socket, which needs no token', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-'));
  const socketPath = join(folder, 'decision.sock');
  const stage = await startStage({ rules: RULES, config: { socketPath } });
  const remote = new RemoteDecider({ url: `unix:${socketPath}`, onFailure: 'deny', timeoutMs: 2_000 });
  expect((await remote.check({ key_id: 'k1' })).deciding).toMatchObject({ ruleId: 'per-key', remaining: 3 });
  await remote.close();
  await stage.close();
  await rm(folder, { recursive: true });
});

function said({ allowed, reason, deciding, policies, retryAfterMs, delayMs, cost, snapshotVersion }: Decision): object {
  return {
    allowed,
    reason,
    deciding: deciding?.ruleId,
    policies: policies.map(({ policy, ruleId, ruleVersion, limit, windowMs, remaining, allowed: passes, reason: why }) => ({ policy, ruleId, ruleVersion, limit, windowMs, remaining, passes, why })),
    waits: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 10_000),
    delayed: delayMs > 0,
    cost,
    snapshotVersion,
  };
}
