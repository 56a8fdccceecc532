import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisServer } from '@sluice/testkit';
import { Redis } from 'ioredis';
import { expectFallback, expectLittleLost, expectNoFallback, expectSound, expectWithinLimit, oneLeaseEach } from './support/expect-report.js';
import { runFault, type FaultReport } from './support/run-fault.js';
import { FAULT_TEST_MS, scaled } from './support/scale.js';

describe('R40 R41 R42 a Redis that answers with errors, or has forgotten', () => {
  let redis: RedisServer;
  let control: Redis;
  beforeEach(async () => {
    redis = await startRedis();
    control = new Redis(redis.url);
  }, 30_000);
  afterEach(async () => {
    control.disconnect();
    await redis.stop();
  });

  function expectCleanRecovery(report: FaultReport): void {
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expectLittleLost(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(2500);
  }

  it('known failure 22: SCRIPT FLUSH, again and again', async () => {
    const report = await runFault({
      name: `SCRIPT FLUSH, 5 times in ${scaled(0.5)} s`,
      url: redis.url,
      async happen() {
        for (let times = 0; times < 5; times += 1) {
          await control.script('FLUSH');
          await sleep(scaled(100));
        }
      },
    });
    expectSound(report);
    expectNoFallback(report);
    expectWithinLimit(report);
    expect(report.doubled).toBe(0);
  }, FAULT_TEST_MS);

  it('FLUSHALL', async () => {
    const report = await runFault({
      name: 'FLUSHALL',
      url: redis.url,
      async happen({ countersLost }) {
        // Before, or what is charged at once after it would seem charged for nobody.
        countersLost();
        await control.flushall();
        await sleep(scaled(500));
      },
    });
    expectSound(report);
    expectNoFallback(report);
    // What was leased before is spent after: one lease a node and counter, in either direction.
    expectLittleLost(report);
    expect(report.doubled).toBeLessThanOrEqual(oneLeaseEach(report));
  }, FAULT_TEST_MS);

  it('OOM: no memory left, and nothing may be evicted', async () => {
    const report = await runFault({
      name: `OOM for ${scaled(1)} s`,
      url: redis.url,
      async happen() {
        await control.config('SET', 'maxmemory', '1');
        await sleep(scaled(1000));
        await control.config('SET', 'maxmemory', '0');
      },
    });
    expectCleanRecovery(report);
  }, FAULT_TEST_MS);

  it('MISCONF: the disk takes no snapshot, so Redis takes no writes', async () => {
    const [, dir = ''] = (await control.config('GET', 'dir')) as string[];
    // A folder where the file should be: the same to Redis as a disk that is full, also for root.
    const obstacle = join(dir, 'dump.rdb');
    const saved = async (status: string): Promise<void> => {
      await control.call('BGSAVE');
      while (!(await control.info('persistence')).includes(`rdb_last_bgsave_status:${status}`)) await sleep(10);
    };
    const report = await runFault({
      name: `MISCONF (snapshots fail) for ${scaled(1)} s`,
      url: redis.url,
      async happen() {
        await mkdir(obstacle);
        await control.config('SET', 'save', '3600 1000000');
        await saved('err');
        await sleep(scaled(1000));
        await rmdir(obstacle);
        await saved('ok');
      },
    });
    expectCleanRecovery(report);
  }, FAULT_TEST_MS);

  it('maxclients: every connection is taken', async () => {
    const report = await runFault({
      name: `connection limit reached for ${scaled(1)} s`,
      url: redis.url,
      async happen() {
        await control.config('SET', 'maxclients', '1');
        await control.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        await sleep(scaled(1000));
        await control.config('SET', 'maxclients', '100');
      },
    });
    expectCleanRecovery(report);
  }, FAULT_TEST_MS);

  it('BUSY: somebody else runs a script that takes its time', async () => {
    await control.config('SET', 'busy-reply-threshold', '100');
    const report = await runFault({
      name: `a script of somebody else blocks for ${scaled(1)} s`,
      url: redis.url,
      async happen() {
        await control.eval("local from = redis.call('TIME') repeat local now = redis.call('TIME') until (now[1] - from[1]) * 1000 + (now[2] - from[2]) / 1000 > tonumber(ARGV[1])", 0, scaled(1000));
      },
    });
    expectCleanRecovery(report);
  }, FAULT_TEST_MS);

  it('AUTH: the password is wrong from the start, and becomes right', async () => {
    await control.config('SET', 'requirepass', 'right');
    await control.auth('right');
    const report = await runFault({
      name: `wrong password for ${scaled(1)} s from the start`,
      url: redis.url.replace('//', '//:late@'),
      fromTheStart: true,
      async happen() {
        await sleep(scaled(1000));
        await control.config('SET', 'requirepass', 'late');
      },
    });
    expectCleanRecovery(report);
  }, FAULT_TEST_MS);
});
