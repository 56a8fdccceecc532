import { quota } from '@sluice/algorithms';
import { counterKey, keySlot, NO_RESEND_CLUSTER, peekCommand, runScript, runScripts, takeCommand } from '@sluice/lua-scripts';
import { startRedisCluster, type RedisCluster } from '@sluice/testkit';
import { Cluster, type ClusterOptions } from 'ioredis';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const perHour = quota({ algorithm: 'fixed_window', limit: 100, windowMs: 3_600_000 });
const keys = (n: number, name: string): string[] => Array.from({ length: n }, (_, i) => counterKey(name, [`caller-${i}`]));
const takes = (n: number, name: string) => keys(n, name).map((key) => takeCommand(key, perHour, 1, 1));
const count = (statuses: string[], status: string): number => statuses.filter((each) => each === status).length;

describe('a private cluster', () => {
  let nodes: RedisCluster;
  let clients: Cluster[] = [];
  beforeEach(async () => void (nodes = await startRedisCluster({ nodeTimeoutMs: 15_000 })), TIMEOUT_MS);
  afterEach(async () => {
    for (const client of clients) client.disconnect();
    clients = [];
    await nodes.stop();
  });

  function newClient(options: ClusterOptions = {}): Cluster {
    const client = new Cluster(nodes.urls, { ...NO_RESEND_CLUSTER, slotsRefreshTimeout: 5_000, clusterRetryStrategy: () => 100, ...options });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  }

  async function readyClient(): Promise<Cluster> {
    const client = newClient();
    await new Promise((resolve) => client.once('ready', resolve));
    return client;
  }

  it('R45 a primary that dies while another is slow fails its own calls, and nothing else', async () => {
    const [dying, slow] = nodes.nodes;
    const child = fork(new URL('support/batch-process.mjs', import.meta.url), nodes.urls, { execArgv: ['--experimental-transform-types'], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let stderr = '';
    child.stderr?.on('data', (text) => (stderr += String(text)));
    const exit = once(child, 'exit');
    const said = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), exit.then(() => [`it ended: ${stderr}`])]))[0];
    expect(await said()).toBe('ready');
    dying?.pause();
    slow?.pause();
    child.send('go');
    expect(await said()).toBe('sent');
    await sleep(100);
    const answer = said();
    await dying?.kill();
    await sleep(300);
    slow?.resume();
    const statuses = await answer;
    expect(statuses).toEqual(expect.any(Array));
    const dead = keys(60, 'loss').filter((key) => keySlot(key) < 5_461).length;
    expect(count(statuses as string[], 'rejected')).toBe(dead);
    expect(count(statuses as string[], 'fulfilled')).toBe(60 - dead);
    expect(await exit).toEqual([0, null]);
  }, TIMEOUT_MS);

  it.each([1, 60])('R22 a client that has just become ready sends at once, to nodes it has yet to connect to (%d calls)', async (calls) => {
    const client = await readyClient();
    const singly = await Promise.allSettled(takes(30, 'singly').map((command) => runScript(client, command)));
    const client2 = await readyClient();
    const batch = await runScripts(client2, takes(calls, 'fresh'));
    expect([...singly, ...batch].map(({ status }) => status)).toEqual(Array(30 + calls).fill('fulfilled'));
  }, TIMEOUT_MS);

  it('known failure 25: with the whole cluster away calls fail at once, and none of them is counted when it is back', async () => {
    const client = await readyClient();
    await runScripts(client, takes(30, 'away'));
    const unreached = newClient({ lazyConnect: true });
    await Promise.all(nodes.nodes.map((node) => node.kill()));
    unreached.connect().catch(() => undefined);
    const slowest = { ms: 0 };
    const failing = async (call: () => Promise<PromiseSettledResult<unknown>[]>): Promise<void> => {
      const start = performance.now();
      expect(new Set((await call()).map(({ status }) => status))).toEqual(new Set(['rejected']));
      slowest.ms = Math.max(slowest.ms, performance.now() - start);
    };
    const until = Date.now() + 2_000;
    while (Date.now() < until) {
      for (const each of [client, unreached]) {
        const [one] = takes(1, 'away');
        await failing(() => Promise.allSettled(one === undefined ? [] : [runScript(each, one)]));
        await failing(() => runScripts(each, takes(30, 'away')));
      }
      await sleep(20);
    }
    expect(slowest.ms).toBeLessThan(400);
    await Promise.all(nodes.nodes.map((node) => node.restart()));
    for (const each of [client, unreached]) if (each.status !== 'ready') await new Promise((resolve) => each.once('ready', resolve));
    await sleep(500);
    const peeks = await runScripts(client, keys(30, 'away').map((key) => peekCommand(key, perHour, 1)));
    expect(peeks.map((peek) => (peek.status === 'fulfilled' ? peek.value.remaining : peek.reason))).toEqual(Array(30).fill(100));
  }, TIMEOUT_MS);
});
