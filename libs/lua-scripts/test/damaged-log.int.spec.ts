import { quota, type Outcome } from '@sluice/algorithms';
import { chargeCommand, peekCommand, refundCommand, runScript, takeAllCommand, takeCommand, usageCommand, type ScriptClient, type ScriptCommand } from '@sluice/lua-scripts';
import { chance } from './support/chance.js';
import { TestCounter } from './support/counter.js';
import { STORES, testKeys } from './support/redis.js';

const WINDOW_MS = 60_000;
const LONGEST_MS = 2 * WINDOW_MS + 1_000;

describe.each(STORES)('R12 known failure 17: a damaged sliding log on $name', ({ name, connect }) => {
  const newKey = testKeys();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  const of = quota({ algorithm: 'sliding_log', limit: 5, windowMs: WINDOW_MS });

  it.each([
    ['garbage where the window begins', (now: number) => ['0:0', `${now - 70_000}2`, 'garbage', `${now}7`]],
    ['garbage before the window begins', (now: number) => ['0:0', `${now - 80_000}2`, 'garbage', `${now - 70_000}3`, 'garbage', `${now}7`]],
    ['sums that fall', (now: number) => [`${now - 70_000}900`, `${now}1`]],
    ['sums that fall within the window', (now: number) => ['0:0', `${now - 20}90`, `${now - 10}3`]],
    ['times that fall', (now: number) => ['0:0', `${now}2`, `${now - 30}4`]],
    ['no use at all', (now: number) => [`${now - 70_000}4`, `${now}4`]],
  ])('%s: counts as absent, and the next take replaces it', async (_what, entries) => {
    const c = new TestCounter(client, newKey(), of);
    await client.rpush(c.key, ...entries(Date.now()));
    expect(await c.peek(1)).toMatchObject({ remaining: 5, retryMs: 0 });
    expect(await c.take()).toMatchObject({ granted: 1, remaining: 4 });
    expect(await client.pttl(c.key)).toBeGreaterThan(0);
    expect(await c.granted(4, 1)).toEqual([4, 0]);
  });

  it('garbage between entries of the window: a denial waits for the newest at most, and nothing is given back', async () => {
    const c = new TestCounter(client, newKey(), of);
    const now = Date.now();
    await client.rpush(c.key, '0:0', `${now - 50}1`, 'garbage', `${now - 20}x`, `${now - 10}5`);
    const before = await client.lrange(c.key, 0, -1);
    const denied = await c.take(3);
    expect(denied).toMatchObject({ granted: 0, remaining: 0 });
    expect(denied.retryMs).toBeGreaterThan(0);
    expect(denied.retryMs).toBeLessThanOrEqual(WINDOW_MS);
    expect(await client.pttl(c.key)).toBeGreaterThan(0);
    for (const bucket of [now - 50, now - 20, now - 10]) expect(await c.refund(1, bucket)).toBe(0);
    expect(await client.lrange(c.key, 0, -1)).toEqual(before);
  });

  it('whatever is in it: no call fails, every number is one of the protocol, and a take leaves a TTL', async () => {
    const random = chance(17);
    const pick = <T>(...of: readonly [T, ...T[]]): T => of[random(of.length)] ?? of[0];
    const now = Date.now();
    const lists = name === 'Redis' ? 1_500 : 200;
    for (let i = 0; i < lists; i += 1) {
      const key = newKey();
      const q = quota({ algorithm: 'sliding_log', limit: pick(1, 5, 1_000, Number.MAX_SAFE_INTEGER), windowMs: WINDOW_MS, chargeDenied: random(10) === 0 });
      const when = (): number => now - pick(0, 1, 10, 1_000, 61_000, 100_000, -500, -90_000);
      const entry = (j: number): string =>
        pick(
          `${when() + j}${j}`,
          `${when()}${random(1_000_000)}`,
          `${when().toString(16)}:${pick('1', 'fffff', '1fffffffffffff', '20000000000000', 'ffffffffffffffffffff', '-1', '')}`,
          pick('', 'garbage', '0:0', '\0\xff', 'nan', '1e5', '5'),
        );
      await client.rpush(key, random(2) === 0 ? '0:0' : entry(0), ...Array.from({ length: pick(1, 2, 3, 9, 40) }, (_, j) => (random(3) === 0 ? entry(j) : `${now - 100_000 + j * pick(1, 1_000, 2_500)}${j}`)));
      for (let call = 0; call < 3; call += 1) {
        const need = pick(1, 1, 3, q.limit);
        const bucket = pick(now, now - 1, now - 10, now - 1_000, now - 100_000 + random(40) * 2_500);
        const command: ScriptCommand<unknown> = pick<ScriptCommand<unknown>>(
          takeCommand(key, q, need, need),
          takeCommand(key, q, need, need, { giveBack: { amount: 2, bucket } }),
          takeAllCommand([{ key, quota: q, need, want: need }]),
          chargeCommand(key, q, need),
          peekCommand(key, q, need),
          refundCommand(key, q, { amount: need, bucket }),
        );
        const what = { list: await client.lrange(key, 0, -1), script: command.script.name, args: command.args };
        const answer = (await runScript(client, command)) as Outcome | readonly Outcome[] | number;
        const numbers = typeof answer === 'number' ? [answer] : [answer].flat().flatMap((outcome) => Object.values(outcome) as number[]);
        expect({ ...what, wrong: numbers.filter((value) => !Number.isSafeInteger(value) || value < -1) }).toEqual({ ...what, wrong: [] });
        for (const outcome of typeof answer === 'number' ? [] : [answer].flat()) {
          expect({ ...what, over: outcome.remaining > q.limit || outcome.retryMs > LONGEST_MS }).toEqual({ ...what, over: false });
        }
        await runScript(client, usageCommand(key, q));
      }
      await runScript(client, takeCommand(key, q, 1, 1));
      const ttlMs = await client.pttl(key);
      expect(ttlMs).toBeGreaterThan(0);
      expect(ttlMs).toBeLessThanOrEqual(LONGEST_MS);
    }
  }, 30_000);
});
