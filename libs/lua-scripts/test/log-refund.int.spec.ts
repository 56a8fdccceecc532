import { algorithmFor, quota, type CounterState } from '@sluice/algorithms';
import { peekCommand, refundCommand, runScript, runScripts, takeCommand, type ScriptClient } from '@sluice/lua-scripts';
import { STORES, testKeys } from './support/redis.js';

const T0 = 1_764_000_000_000;
/** What a refund rewrites at most. */
const MOST = 1_024;

describe.each(STORES)('R9 R3 a refund to a long sliding log on $name', ({ connect }) => {
  const newKey = testKeys();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  it('gives back a charge with up to 1,024 entries after it, and 0 of an older one, as the pure function does', async () => {
    const of = quota({ algorithm: 'sliding_log', limit: 1_000_000, windowMs: 3_600_000 });
    const pure = algorithmFor('sliding_log');
    const key = newKey();
    const entries = MOST + 200;
    const nowMs = T0 + entries;
    let state: CounterState | undefined;
    const takes = Array.from({ length: entries }, (_, i) => {
      state = pure.take(state, of, 3, 3, T0 + i).state;
      return takeCommand(key, of, 3, 3, { nowMs: T0 + i });
    });
    await runScripts(client, takes);
    // The one with 1,024 after it, older ones, the newest, and some between; some give all of an entry back, so that the later ones move up.
    const last = T0 + entries - 1;
    const asked: number[] = [];
    for (const [bucket, amount] of [[last - MOST - 1, 3], [T0, 1], [last - MOST, 3], [last, 3], [last - MOST - 1, 1], [last - 500, 2], [last - 500, 2], [last - MOST - 4, 3], [last - MOST - 3, 3]] as const) {
      const { refunded, state: after } = pure.refund(state, of, amount, bucket, nowMs);
      state = after;
      asked.push(refunded);
      expect(await runScript(client, refundCommand(key, of, { amount, bucket }, nowMs))).toBe(refunded);
      expect(await runScript(client, peekCommand(key, of, 1, { nowMs }))).toEqual(pure.peek(state, of, 1, nowMs));
    }
    // Three entries have gone by then, so that those before them have fewer after them.
    expect(asked).toEqual([0, 0, 3, 3, 1, 2, 1, 0, 3]);
  }, 20_000);
});
