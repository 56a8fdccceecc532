import { heartbeatCommand, nodesKey, runScript, type ScriptClient } from '@sluice/lua-scripts';
import { STORES, testKeys } from './support/redis.js';

const T0 = 1_764_000_000_000;
const TTL_MS = 5_000;

describe.each(STORES)('R41 the nodes seen in $name', ({ connect }) => {
  const newKey = testKeys();
  let client: ScriptClient;
  let key: string;
  beforeAll(async () => {
    client = await connect();
  });
  beforeEach(() => {
    key = newKey();
  });
  afterAll(() => client.disconnect());

  const beat = async (nodeId: string, nowMs?: number, maxNodes = 100): Promise<number> =>
    (await runScript(client, heartbeatCommand(key, nodeId, TTL_MS, { nowMs, maxNodes }))).nodes;
  const leave = async (nodeId: string, nowMs?: number): Promise<number> => (await runScript(client, heartbeatCommand(key, nodeId, 0, { nowMs }))).nodes;

  it('counts each node once, however often it beats, until it leaves', async () => {
    expect(await beat('a', T0)).toBe(1);
    expect(await beat('a', T0 + 1000)).toBe(1);
    expect(await beat('b', T0 + 1000)).toBe(2);
    expect(await leave('a', T0 + 1001)).toBe(1);
    expect(await leave('a', T0 + 1002)).toBe(1);
    expect(await leave('b', T0 + 1003)).toBe(0);
    expect(await client.exists(key)).toBe(0);
  });

  it('a node that is dead counts until the ttl is over, and one that comes back counts again', async () => {
    await beat('dead', T0);
    expect(await beat('a', T0 + TTL_MS - 1)).toBe(2);
    expect(await beat('a', T0 + TTL_MS)).toBe(1);
    expect(await beat('dead', T0 + TTL_MS + 1)).toBe(2);
  });

  it('R28 gives each node a place of its own, by name, which it keeps while the fleet is the same', async () => {
    const place = async (nodeId: string, nowMs = T0): Promise<number> => (await runScript(client, heartbeatCommand(key, nodeId, TTL_MS, { nowMs }))).place;
    for (const node of ['b', 'd', 'a', 'c']) await place(node);
    expect([await place('a'), await place('b'), await place('c'), await place('d')]).toEqual([0, 1, 2, 3]);
    await leave('b', T0);
    expect([await place('a'), await place('c'), await place('d')]).toEqual([0, 1, 2]);
    expect([await place('d', T0 + TTL_MS), await place('d', T0 + TTL_MS)]).toEqual([0, 0]);
    await leave('d', T0 + TTL_MS);
    const [order = ''] = heartbeatCommand(key, 'a', TTL_MS).keys.slice(1);
    expect(await client.exists(order)).toBe(0);
    await beat('a');
    expect(await client.pttl(order)).toBeGreaterThan(0);
  });

  it('R6 goes by the clock of the store', async () => {
    const before = Date.now();
    const { nodes, nowMs } = await runScript(client, heartbeatCommand(key, 'a', TTL_MS));
    expect(nodes).toBe(1);
    expect(nowMs).toBeGreaterThanOrEqual(before);
    expect(nowMs).toBeLessThanOrEqual(Date.now());
  });

  it('R10 when the clock steps back nobody is forgotten, and the dead go within the ttl', async () => {
    for (const id of ['dead', 'a', 'b']) await beat(id, T0);
    expect(await beat('a', T0 - 600_000)).toBe(3);
    expect(await beat('b', T0 - 600_000 + TTL_MS - 1)).toBe(3);
    expect(await beat('a', T0 - 600_000 + TTL_MS)).toBe(2);
  });

  it('R12 has a TTL of at most the ttl of a node and a second, and gets one that it lacked', async () => {
    await client.zadd(key, Date.now(), 'old');
    expect(await client.pttl(key)).toBe(-1);
    await beat('a');
    const ttl = await client.pttl(key);
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(TTL_MS + 1000);
  });

  it('is bounded: those that were seen longest ago go first', async () => {
    for (let i = 0; i < 10; i += 1) await beat(`n${i}`, T0 + i, 4);
    expect(await client.zrange(key, 0, -1)).toEqual(['n6', 'n7', 'n8', 'n9']);
  });

  describe('R28 the order of the nodes by name', () => {
    const order = (): string => heartbeatCommand(key, 'a', TTL_MS).keys[1] ?? '';
    const reply = (nodeId: string, nowMs: number, maxNodes = 100_000) => runScript(client, heartbeatCommand(key, nodeId, TTL_MS, { nowMs, maxNodes }));

    it('holds no more than the nodes do, the one that beats among them', async () => {
      for (let i = 0; i < 20; i += 1) await reply(`n${String(i).padStart(2, '0')}`, T0, 3);
      expect(await reply('a', T0, 3)).toEqual({ nodes: 3, nowMs: T0, place: 0 });
      expect(await client.zrange(key, 0, -1)).toEqual(await client.zrange(order(), 0, -1));
      expect(await client.zcard(order())).toBe(3);
    });

    it('forgets 1,500 that die at once', async () => {
      await Promise.all(Array.from({ length: 1_500 }, (_, i) => reply(`n${i}`, T0)));
      expect(await reply('zz', T0 + TTL_MS)).toEqual({ nodes: 1, nowMs: T0 + TTL_MS, place: 0 });
      expect(await client.zrange(order(), 0, -1)).toEqual(['zz']);
    });

    it('is made anew when either of the two sets was lost', async () => {
      for (const node of ['a', 'b', 'c']) await reply(node, T0);
      await client.del(order());
      expect((await reply('c', T0)).place).toBe(2);
      expect(await client.zrange(order(), 0, -1)).toEqual(['a', 'b', 'c']);
      await client.del(key);
      expect(await reply('c', T0)).toMatchObject({ nodes: 1, place: 0 });
      expect(await client.zrange(order(), 0, -1)).toEqual(['c']);
      expect(await client.pttl(order())).toBeGreaterThan(0);
    });
  });

  it('replaces a key of another type', async () => {
    await client.set(key, 'x');
    expect(await beat('a')).toBe(1);
  });
});

it('R11 the nodes are kept apart by prefix', () => {
  expect(nodesKey()).toBe('s{nodes}');
  expect(nodesKey('eu')).toBe('eu{nodes}');
});
