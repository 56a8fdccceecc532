import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedRedis } from '@sluice/testkit';
import { identify, isAlive } from '../src/run/process-table.js';
import { withRedis } from '../src/redis/redis-connection.js';
import { runChild } from './child/run-child.js';

const OWN_RUN = { SLUICE_TEST_RUN_DIR: undefined, SLUICE_TEST_RUN_OWNER: undefined };

async function gone(pid: string | number | undefined, withinMs = 5_000): Promise<boolean> {
  const identity = identify(Number(pid));
  const deadline = Date.now() + withinMs;
  while (isAlive(identity) && Date.now() < deadline) await sleep(20);
  return !isAlive(identity);
}

async function removed(path: string | number | undefined, withinMs = 5_000): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (existsSync(String(path)) && Date.now() < deadline) await sleep(20);
  return !existsSync(String(path));
}

describe('R90 a run leaves no server and no file behind', () => {
  it('after kill -9 of the process that opened it', async () => {
    const child = await runChild(['redis', 'paused-redis', 'postgres', 'shared-redis'], OWN_RUN);
    const { redis, pausedRedis, postgres, runDir } = child.found;
    for (const pid of [redis, pausedRedis, postgres]) expect(isAlive({ pid: Number(pid) })).toBe(true);
    const reaped = Promise.all([gone(redis), gone(pausedRedis), gone(postgres)]);
    await child.kill('SIGKILL');
    expect(await reaped).toEqual([true, true, true]);
    expect(await removed(runDir)).toBe(true);
  });

  it('after an orderly end without stop()', async () => {
    const child = await runChild(['redis', 'leave'], OWN_RUN);
    expect(await gone(child.found['redis'])).toBe(true);
    expect(await removed(child.found['runDir'])).toBe(true);
  });

  it('after the owner that SLUICE_TEST_RUN_OWNER names has ended, not before', async () => {
    const owner = await runChild([], OWN_RUN);
    const dir = join(tmpdir(), `sluice-spec-${process.pid}-${Date.now()}`);
    const env = { SLUICE_TEST_RUN_DIR: dir, SLUICE_TEST_RUN_OWNER: String(owner.found['pid']) };
    const first = await runChild(['shared-redis', 'leave'], env);
    await first.kill('SIGKILL');
    const second = await runChild(['shared-redis', 'leave'], env);
    expect(second.found['sharedRedis']).toBe(first.found['sharedRedis']);
    await owner.kill('SIGKILL');
    expect(await removed(dir)).toBe(true);
  });
});

describe('R90 a run is shared by separately started processes', () => {
  it('gives them the same server, and ends only their private ones with them', async () => {
    const { url } = await sharedRedis();
    const child = await runChild(['redis', 'shared-redis'], {});
    expect(child.found['sharedRedis']).toBe(url);
    const reaped = gone(child.found['redis']);
    await child.kill('SIGKILL');
    expect(await reaped).toBe(true);
    expect(await withRedis(Number(new URL(url).port), (redis) => redis.ping())).toBe('PONG');
  });
});
