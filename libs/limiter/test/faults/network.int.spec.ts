import { setTimeout as sleep } from 'node:timers/promises';
import { delayProxy, startRedis, type DelayProxy, type RedisServer } from '@sluice/testkit';
import { expectChargedOnce, expectFallback, expectLateReturned, expectLittleLost, expectNoFallback, expectSound, expectWithinLimit, oneLeaseEach } from './support/expect-report.js';
import { blackHole } from './support/black-hole.js';
import { runFault } from './support/run-fault.js';
import { FAULT_TEST_MS, scaled } from './support/scale.js';

describe('R40 R42 a network that is bad', () => {
  let redis: RedisServer;
  let proxy: DelayProxy;
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await delayProxy({ targetPort: redis.port });
  }, 30_000);
  afterEach(async () => {
    await proxy.close();
    await redis.stop();
  });
  const through = () => ({ url: `redis://127.0.0.1:${proxy.port}`, directUrls: [redis.url] });

  async function slow(ms: number): Promise<void> {
    proxy.setDelayMs(ms);
    await sleep(scaled(1000));
    proxy.setDelayMs(0);
  }

  it('50 ms slower, which is too slow for a timeout of 50 ms', async () => {
    const report = await runFault({ name: `+50 ms for ${scaled(1)} s, timeout 50 ms`, ...through(), happen: () => slow(50) });
    expectSound(report);
    // Some answers come just in time, so that nothing is sure but this.
    expect(report.sources.fallback).toBeGreaterThan(0);
    expectWithinLimit(report);
    expectLateReturned(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(2000);
  }, FAULT_TEST_MS);

  it('50 ms slower, and a timeout that leaves room: what needs a trip waits, what is leased does not', async () => {
    const report = await runFault({ name: `+50 ms for ${scaled(1)} s, timeout 500 ms`, ...through(), timeoutMs: 500, happen: () => slow(50) });
    expectSound(report);
    expectNoFallback(report);
    expectWithinLimit(report);
    expect(report.doubled).toBe(0);
  }, FAULT_TEST_MS);

  it('500 ms slower', async () => {
    const report = await runFault({ name: `+500 ms for ${scaled(1)} s`, ...through(), happen: () => slow(500) });
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expect(report.latency.p50).toBeLessThan(25);
    expectLateReturned(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(2500);
  }, FAULT_TEST_MS);

  it('known failure 26: the script ran and its answer is lost with the connection', async () => {
    const report = await runFault({
      name: `replies dropped for ${scaled(1)} s, then the connection`,
      ...through(),
      async happen() {
        proxy.dropReplies(true);
        await sleep(scaled(1000));
        await proxy.cut();
        proxy.dropReplies(false);
        await proxy.heal();
      },
    });
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    // Nothing is sent again: what was charged for nobody is what waited for its answer, once.
    expectChargedOnce(report, 40);
    expectLittleLost(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(2500);
  }, FAULT_TEST_MS);

  it('half a reply, and the rest much later', async () => {
    const report = await runFault({
      name: `replies stop half-way for ${scaled(1)} s`,
      ...through(),
      async happen() {
        proxy.stallReplies(true);
        await sleep(scaled(1000));
        proxy.stallReplies(false);
      },
    });
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expectLateReturned(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(2000);
  }, FAULT_TEST_MS);

  it('connections that lead nowhere, though new ones work', async () => {
    const hole = await blackHole(redis.port);
    const report = await runFault({
      name: 'connections become black holes',
      url: `redis://127.0.0.1:${hole.port}`,
      directUrls: [redis.url],
      happen: () => Promise.resolve(hole.swallow()),
    });
    hole.close();
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expectLittleLost(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(4000);
  }, FAULT_TEST_MS);

  it('an address that moves to another server, while the old one hangs', async () => {
    const other = await startRedis();
    const report = await runFault({
      name: 'the address moves to an empty server, the old one hangs',
      url: `redis://127.0.0.1:${proxy.port}`,
      directUrls: [other.url],
      happen({ countersLost }) {
        redis.pause();
        proxy.setTarget(other.port);
        countersLost();
        return Promise.resolve();
      },
    });
    redis.resume();
    await other.stop();
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expectLittleLost(report);
    expect(report.doubled).toBeLessThanOrEqual(oneLeaseEach(report));
    expect(report.recoveredMs).toBeLessThan(4000);
  }, FAULT_TEST_MS);

  it('connections that break and are refused', async () => {
    const report = await runFault({
      name: `cut off for ${scaled(1)} s`,
      ...through(),
      async happen() {
        await proxy.cut();
        await sleep(scaled(1000));
        await proxy.heal();
      },
    });
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expectLittleLost(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(2500);
  }, FAULT_TEST_MS);
});
