import { quota } from '@sluice/algorithms';
import { counterPlace, isNoScript, NO_RESEND, runScript, runScripts, takeAllCommand, takeCommand, type ScriptCommand } from '@sluice/lua-scripts';
import { delayProxy, startRedis, type DelayProxy, type RedisServer } from '@sluice/testkit';
import { Redis } from 'ioredis';
import { redisClient, testKeys } from './support/redis.js';
import { relay } from './support/relay.js';

const perMinute = quota({ algorithm: 'fixed_window', limit: 100, windowMs: 3_600_000 });
const newKey = testKeys();

describe('a single server', () => {
  let server: RedisServer;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = redisClient(server.url);
    client.on('error', () => undefined);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  it('known failure 22: SCRIPT FLUSH and FLUSHALL between calls are not noticed', async () => {
    const key = newKey();
    expect((await runScript(client, takeCommand(key, perMinute, 1, 1))).remaining).toBe(99);
    await client.script('FLUSH');
    expect((await runScript(client, takeCommand(key, perMinute, 1, 1))).remaining).toBe(98);
    await client.flushall();
    expect((await runScript(client, takeCommand(key, perMinute, 1, 1))).remaining).toBe(99);
  });

  it('known failure 22: EVAL makes the script known, so the next call is an EVALSHA again', async () => {
    await client.script('FLUSH');
    const command = takeCommand(newKey(), perMinute, 1, 1);
    await runScript(client, command);
    expect(await client.script('EXISTS', command.script.sha1)).toEqual([1]);
  });

  it('known failure 22: a restart in the midst of a run loses what was counted, not the calls after it', async () => {
    const key = newKey();
    await runScript(client, takeCommand(key, perMinute, 5, 5));
    const closed = new Promise((resolve) => client.once('close', resolve));
    await server.restart();
    await closed;
    if (client.status !== 'ready') await new Promise((resolve) => client.once('ready', resolve));
    expect((await runScript(client, takeCommand(key, perMinute, 1, 1))).remaining).toBe(99);
  });

  it('R22 many calls go out in one write, and those that meet NOSCRIPT come right on their own', async () => {
    await client.script('FLUSH');
    const known = takeCommand(newKey(), quota({ limit: 5, windowMs: 60_000 }), 1, 1);
    await runScript(client, known);
    const commands = [known, takeCommand(newKey(), perMinute, 1, 1), known, takeCommand(newKey(), perMinute, 1, 1), known];
    const wire = await relay(server.port);
    const wired = redisClient(`redis://127.0.0.1:${wire.port}`);
    await wired.ping();
    wire.chunks.length = 0;
    const remaining = (await runScripts(wired, commands)).map((result) => (result.status === 'fulfilled' ? result.value.remaining : result.reason));
    expect(remaining).toEqual([3, 99, 2, 99, 1]);
    expect(wire.chunks[0]?.match(/evalsha/g)).toHaveLength(5);
    wired.disconnect();
    await wire.close();
  });

  it('R45 one call that fails leaves the others alone', async () => {
    const good = takeCommand(newKey(), perMinute, 1, 1);
    const bad = { ...good, keys: [newKey()], args: ['not', 'numbers'] };
    const results = await runScripts(client, [good, bad, good]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(runScript(client, bad)).rejects.toThrow(/script/);
    expect(await runScripts(client, [])).toEqual([]);
  });

  it('R7 a full store refuses the call, and counts nothing', async () => {
    await client.config('SET', 'maxmemory', '1');
    const command = takeCommand(newKey(), perMinute, 1, 1);
    await expect(runScript(client, command)).rejects.toThrow(/OOM/);
    await client.config('SET', 'maxmemory', '0');
    expect((await runScript(client, command)).remaining).toBe(99);
  });
});

describe('known failure 26: a reply that is lost', () => {
  let server: RedisServer;
  let proxy: DelayProxy;
  let direct: Redis;
  beforeAll(async () => {
    server = await startRedis();
    proxy = await delayProxy({ targetPort: server.port });
    direct = redisClient(server.url);
  });
  afterAll(async () => {
    direct.disconnect();
    await proxy.close();
    await server.stop();
  });

  /** The same call for another counter. */
  function elsewhere<T>({ script, args, decode }: ScriptCommand<T>): ScriptCommand<T> {
    return { script, keys: [newKey()], args, decode };
  }

  /** How often a take was counted whose reply is swallowed, after which the connection breaks and comes back. */
  async function countedAfterLoss(client: Redis, pipelined: boolean): Promise<{ counted: number; outcome: string }> {
    client.on('error', () => undefined);
    await new Promise((resolve) => client.once('ready', resolve));
    const key = newKey();
    const command = takeCommand(key, perMinute, 1, 1);
    await runScript(client, elsewhere(command));
    proxy.dropReplies(true);
    const call = pipelined ? runScripts(client, [command, elsewhere(command)]).then(([first]) => first?.status ?? '') : runScript(client, command).then(() => 'fulfilled', () => 'rejected');
    while ((await direct.exists(counterPlace(key).group)) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    proxy.dropReplies(false);
    const back = new Promise((resolve) => client.once('ready', resolve));
    await proxy.cut();
    await proxy.heal();
    await back;
    const outcome = await call;
    const { remaining } = await runScript(direct, takeCommand(key, perMinute, 1, 1));
    client.disconnect();
    return { counted: 99 - remaining, outcome };
  }

  it.each([false, true])('is a failure, and is not asked for again (pipelined: %s)', async (pipelined) => {
    const client = new Redis(proxy.port, { ...NO_RESEND, enableOfflineQueue: true });
    expect(await countedAfterLoss(client, pipelined)).toEqual({ counted: 1, outcome: 'rejected' });
  });

  it('would be counted twice with the defaults of the client', async () => {
    expect(await countedAfterLoss(new Redis(proxy.port), false)).toEqual({ counted: 2, outcome: 'fulfilled' });
  });

  it('after a timeout: the call failed, and counted once', async () => {
    const client = new Redis(proxy.port, { ...NO_RESEND, enableOfflineQueue: true, commandTimeout: 80 });
    client.on('error', () => undefined);
    await new Promise((resolve) => client.once('ready', resolve));
    const command = takeCommand(newKey(), perMinute, 1, 1);
    await runScript(client, elsewhere(command));
    proxy.setDelayMs(200);
    const error: unknown = await runScript(client, command).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isNoScript(error)).toBe(false);
    proxy.setDelayMs(0);
    expect((await runScript(direct, command)).remaining).toBe(98);
    client.disconnect();
  });
});

describe('takeAll', () => {
  it('runs on a single server with keys of any slots', async () => {
    const server = await startRedis();
    const client = redisClient(server.url);
    const takes = ['a', 'b'].map((key) => ({ key, quota: perMinute, need: 1, want: 1 }));
    expect((await runScript(client, takeAllCommand(takes))).map(({ granted }) => granted)).toEqual([1, 1]);
    client.disconnect();
    await server.stop();
  });
});
