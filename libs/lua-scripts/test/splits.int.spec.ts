import { quota, algorithmFor, type CounterState, type Usage } from '@sluice/algorithms';
import { chargeCommand, claimMoveCommand, runScript, splitsCommand, takeCommand, usageCommand, type ScriptClient, type SplitCounter } from '@sluice/lua-scripts';
import { STORES, testKeys } from './support/redis.js';

const T0 = 1_764_000_000_000;
const TIMES = { leadMs: 3_000, holdMs: 10_000, barMs: 60_000, most: 3 };

describe.each(STORES)('R28 the counters that are split, in $name', ({ connect }) => {
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

  const ask = async (nowMs: number | undefined, ...proposals: (readonly [string, number])[]): Promise<readonly SplitCounter[]> =>
    (await runScript(client, splitsCommand(key, proposals.map(([counter, shards]) => ({ counter, shards })), { ...TIMES, nowMs }))).splits;
  const claim = (step: string, nodeId: string): Promise<boolean> => runScript(client, claimMoveCommand(key, 'a', step, nodeId));

  it('are told to all, from a while after the proposal to a while after the last one', async () => {
    expect(await ask(T0)).toEqual([]);
    expect(await client.exists(key)).toBe(0);
    expect(await ask(T0, ['a', 8])).toEqual([{ counter: 'a', shards: 8, fromMs: T0 + 3_000, untilMs: T0 + 13_000 }]);
    // Who comes with another number gets the one that is.
    expect(await ask(T0 + 1_000, ['a', 4])).toEqual([{ counter: 'a', shards: 8, fromMs: T0 + 3_000, untilMs: T0 + 14_000 }]);
    expect(await ask(T0 + 2_000)).toEqual([{ counter: 'a', shards: 8, fromMs: T0 + 3_000, untilMs: T0 + 14_000 }]);
    // Too late for all to hear of it: it ends, and comes back only after that.
    expect(await ask(T0 + 11_000, ['a', 8])).toMatchObject([{ untilMs: T0 + 14_000 }]);
    expect(await ask(T0 + 16_999, ['a', 8])).toMatchObject([{ untilMs: T0 + 14_000 }]);
    expect(await ask(T0 + 17_000, ['a', 8])).toMatchObject([{ fromMs: T0 + 20_000 }]);
  });

  it('are bounded in number', async () => {
    expect((await ask(T0, ['a', 2], ['b', 2], ['c', 2], ['d', 2])).map(({ counter }) => counter).sort()).toEqual(['a', 'b', 'c']);
  });

  it('end early, and are left alone for a while, when one must not be split', async () => {
    await ask(T0, ['a', 8]);
    expect(await ask(T0 + 5_000, ['a', 0])).toMatchObject([{ untilMs: T0 + 8_000 }]);
    expect(await ask(T0 + 60_000, ['a', 8])).toMatchObject([{ untilMs: T0 + 8_000 }]);
    expect(await ask(T0 + 65_000, ['a', 8])).toMatchObject([{ fromMs: T0 + 68_000 }]);
  });

  it('R12 known failure 17: have a TTL, and replace what is no such hash', async () => {
    await client.set(key, 'x');
    expect(await ask(undefined, ['a', 2])).toHaveLength(1);
    const ttlMs = await client.pttl(key);
    expect(ttlMs).toBeGreaterThan(13_000);
    expect(ttlMs).toBeLessThanOrEqual(17_000);
    await claim('1:split', 'n');
    expect(await client.pttl(key)).toBeGreaterThan(0);
  });

  it('R12 known failure 17: one that lost its TTL is given one by whoever asks', async () => {
    await ask(undefined, ['a', 2]);
    await client.persist(key);
    expect(await ask(undefined)).toHaveLength(1);
    const ttlMs = await client.pttl(key);
    expect(ttlMs).toBeGreaterThan(13_000);
    expect(ttlMs).toBeLessThanOrEqual(17_000);
  });

  it('keep a claim whatever the node calls itself', async () => {
    await ask(T0, ['a', 2]);
    expect(await claim('1:split', '10:0:0:7')).toBe(true);
    expect(await ask(T0 + 1)).toHaveLength(1);
    expect(await claim('1:split', '10:0:0:8')).toBe(false);
    expect(await claim('1:split', '10:0:0:7')).toBe(true);
  });

  it('forget what a clock wrote that has stepped back', async () => {
    await ask(T0 + 3_600_000, ['a', 8]);
    expect(await ask(T0)).toEqual([]);
  });

  it('give each step to one node, which may ask again', async () => {
    expect(await claim('1:split', 'n1')).toBe(false);
    await ask(T0, ['a', 8]);
    expect(await claim('1:split', 'n1')).toBe(true);
    expect(await claim('1:split', 'n2')).toBe(false);
    expect(await claim('1:split', 'n1')).toBe(true);
    expect(await claim('1:merge', 'n2')).toBe(true);
    expect((await ask(T0 + 1)).map(({ counter }) => counter)).toEqual(['a']);
    // With the split its claims go.
    await ask(T0 + 20_000, ['b', 2]);
    expect(Object.keys(await client.hgetall(key))).toEqual(['b']);
  });
});

describe.each(STORES)('R28 what is in use, in $name', ({ connect }) => {
  const newKey = testKeys();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  it.each([
    ['sliding_counter', { subBuckets: 1 }],
    ['sliding_counter', { subBuckets: 5 }],
    ['fixed_window', {}],
    ['gcra', { burst: 50 }],
    ['token_bucket', { burst: 50 }],
    ['leaky_bucket', {}],
  ] as const)('R3 %s: the same as the pure algorithm says, debt included; charged to another counter it makes that one the same', async (algorithm, more) => {
    const q = quota({ algorithm, limit: 100, windowMs: 1_000, ...more });
    const pure = algorithmFor(algorithm);
    const [one, two] = [newKey(), newKey()];
    let state: CounterState | undefined;
    let copy: CounterState | undefined;
    for (const [atMs, amount] of [[100, 30], [450, 20], [900, 40], [1_150, 90]] as const) {
      await runScript(client, chargeCommand(one, q, amount, { nowMs: T0 + atMs }));
      state = pure.charge(state, q, amount, T0 + atMs).state;
    }
    const nowMs = T0 + 1_200;
    const usage: Usage = await runScript(client, usageCommand(one, q, nowMs));
    expect(usage).toEqual(pure.usage(state, q, nowMs));
    expect(usage.parts.length).toBeGreaterThan(0);
    for (const { bucket, amount } of usage.parts) {
      await runScript(client, chargeCommand(two, q, amount, { bucket, nowMs }));
      copy = pure.charge(copy, q, amount, nowMs, false, bucket).state;
    }
    for (const laterMs of [1_200, 1_700, 2_150]) {
      const moved = await runScript(client, takeCommand(two, q, 1, 1, { nowMs: T0 + laterMs }));
      expect(moved).toEqual(await runScript(client, takeCommand(one, q, 1, 1, { nowMs: T0 + laterMs })));
      const taken = pure.take(copy, q, 1, 1, T0 + laterMs);
      copy = taken.state;
      expect(moved).toEqual(taken.outcome);
    }
  });

  it.each(['token_bucket', 'leaky_bucket', 'gcra', 'fixed_window', 'sliding_log', 'sliding_counter'] as const)('R61 %s: all of it, also when the limit was lowered far below it', async (algorithm) => {
    const key = newKey();
    const [high, low] = [quota({ algorithm, limit: 1_000, windowMs: 60_000 }), quota({ algorithm, limit: 10, windowMs: 60_000 })];
    const pure = algorithmFor(algorithm);
    await runScript(client, takeCommand(key, high, 1_000, 1_000, { nowMs: T0 }));
    const expected = pure.usage(pure.take(undefined, high, 1_000, 1_000, T0).state, low, T0);
    expect(expected.parts.map(({ amount }) => amount)).toEqual([1_000]);
    expect(await runScript(client, usageCommand(key, low, T0))).toEqual(expected);
  });

  it('of nothing is nothing, and a charge that is too late for its bucket charges nothing', async () => {
    const q = quota({ limit: 100, windowMs: 1_000 });
    const key = newKey();
    expect(await runScript(client, usageCommand(key, q, T0))).toEqual({ nowMs: T0, parts: [] });
    const bucket = T0 / 1_000;
    for (const late of [bucket - 2, bucket + 1]) expect(await runScript(client, chargeCommand(key, q, 5, { bucket: late, nowMs: T0 }))).toMatchObject({ granted: 0, remaining: 100 });
    expect(await client.exists(key)).toBe(0);
  });
});
