import { setTimeout as sleep } from 'node:timers/promises';
import { delayProxy, startRedisReplicaPair, type DelayProxy, type RedisReplicaPair } from '@sluice/testkit';
import { Redis } from 'ioredis';
import { expectFallback, expectLittleLost, expectSound, expectWithinLimit, oneLeaseEach } from './support/expect-report.js';
import { runFault } from './support/run-fault.js';
import { FAULT_TEST_MS, scaled } from './support/scale.js';

describe('R42 a failover of a replica pair', () => {
  let pair: RedisReplicaPair;
  let proxy: DelayProxy;
  beforeEach(async () => {
    pair = await startRedisReplicaPair();
    proxy = await delayProxy({ targetPort: pair.primary.port });
  }, 30_000);
  afterEach(async () => {
    await proxy.close();
    await pair.stop();
  });
  const replicaOf = async (url: string, ...of: string[]): Promise<void> => {
    const redis = new Redis(url);
    await redis.call('REPLICAOF', ...of);
    redis.disconnect();
  };

  it('in good order: the old primary answers READONLY, and connections must be made anew to find the new one', async () => {
    const { primary, replica } = pair;
    const report = await runFault({
      name: `failover with both alive (READONLY for ${scaled(0.5)} s)`,
      url: `redis://127.0.0.1:${proxy.port}`,
      directUrls: [replica.url],
      async happen() {
        await replicaOf(primary.url, '127.0.0.1', String(replica.port));
        await sleep(scaled(500));
        await replicaOf(replica.url, 'NO', 'ONE');
        // The address moves; whoever is connected stays where it is.
        proxy.setTarget(replica.port);
      },
    });
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expectLittleLost(report);
    // What the old primary took in the last moment and did not pass on.
    expect(report.doubled).toBeLessThanOrEqual(oneLeaseEach(report));
    expect(report.recoveredMs).toBeLessThan(2500);
  }, FAULT_TEST_MS);

  it('in bad order: the primary dies, the replica takes over after a while', async () => {
    const { primary, replica } = pair;
    const report = await runFault({
      name: `failover, primary killed, ${scaled(1)} s without one`,
      url: `redis://127.0.0.1:${proxy.port}`,
      directUrls: [replica.url],
      async happen() {
        await primary.kill();
        await sleep(scaled(1000));
        await replicaOf(replica.url, 'NO', 'ONE');
        proxy.setTarget(replica.port);
      },
    });
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expectLittleLost(report);
    expect(report.doubled).toBeLessThanOrEqual(oneLeaseEach(report));
    expect(report.recoveredMs).toBeLessThan(2500);
  }, FAULT_TEST_MS);
});
