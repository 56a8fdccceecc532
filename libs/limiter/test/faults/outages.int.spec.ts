import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisServer } from '@sluice/testkit';
import { expectFallback, expectLateReturned, expectLittleLost, expectSound, expectWithinLimit, oneLeaseEach } from './support/expect-report.js';
import { runFault } from './support/run-fault.js';
import { FAULT_TEST_MS, scaled } from './support/scale.js';

describe('R40 R41 R42 a Redis that is gone', () => {
  let redis: RedisServer | undefined;
  afterEach(() => redis?.stop());

  it('kill -9 and restart, with its data', async () => {
    redis = await startRedis({ config: ['--appendonly', 'yes'] });
    const server = redis;
    const report = await runFault({
      name: `kill -9, back after ${scaled(1000) / 1000} s with its data`,
      url: server.url,
      async happen() {
        await server.kill();
        await sleep(scaled(1000));
        await server.restart();
      },
    });
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expectLittleLost(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(3000);
  }, FAULT_TEST_MS);

  it('kill -9 and restart, empty', async () => {
    redis = await startRedis();
    const server = redis;
    const report = await runFault({
      name: `kill -9, back after ${scaled(1000) / 1000} s empty`,
      url: server.url,
      async happen({ countersLost }) {
        await server.kill();
        countersLost();
        await sleep(scaled(1000));
        await server.restart();
      },
    });
    expectSound(report);
    expectFallback(report);
    expectLittleLost(report);
    expect(report.doubled).toBeLessThanOrEqual(oneLeaseEach(report));
    expect(report.recoveredMs).toBeLessThan(3000);
  }, FAULT_TEST_MS);

  it('known failure 25: SIGSTOP', async () => {
    redis = await startRedis();
    const server = redis;
    const report = await runFault({
      name: `SIGSTOP for ${scaled(2000) / 1000} s`,
      url: server.url,
      async happen() {
        server.pause();
        await sleep(scaled(2000));
        server.resume();
      },
    });
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expect(report.latency.p50).toBeLessThan(25);
    expectLateReturned(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(2000);
  }, FAULT_TEST_MS);
});
