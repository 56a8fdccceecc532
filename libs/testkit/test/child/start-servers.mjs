// Starts what its arguments name, prints one JSON line, and stays until it is killed (or ends, with `leave`).
import * as testkit from '../../src/index.ts';

const wanted = process.argv.slice(2);
const found = { pid: process.pid };
if (wanted.includes('redis')) found.redis = (await testkit.startRedis()).pid;
if (wanted.includes('paused-redis')) {
  const server = await testkit.startRedis();
  server.pause();
  found.pausedRedis = server.pid;
}
if (wanted.includes('postgres')) found.postgres = (await testkit.startPostgres()).pid;
if (wanted.includes('shared-redis')) found.sharedRedis = (await testkit.sharedRedis()).url;
found.runDir = process.env.SLUICE_TEST_RUN_DIR;
process.stdout.write(`${JSON.stringify(found)}\n`);
if (!wanted.includes('leave')) setInterval(() => undefined, 60_000);
