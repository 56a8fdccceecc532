import { algorithmFor, ALGORITHMS, NEVER, quota, type CounterState, type Quota } from '@sluice/algorithms';
import { counterPlace, runScript, runScripts, takeAllCommand, type CounterTake, type ScriptClient } from '@sluice/lua-scripts';
import fc from 'fast-check';
import { TestCounter } from './support/counter.js';
import { anyQuotaFamily, strengths } from './support/quotas.js';
import { keyTags, STORES } from './support/redis.js';

const T0 = 1_764_000_000_000;

describe.each(STORES)('R8 several limits of one request on $name', ({ name, connect }) => {
  const family = keyTags();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  it('known failure 8: 10 a second and 100 a minute; the minute denies, the second is not burned', async () => {
    const key = family();
    const takes = (cost: number): CounterTake[] => [
      { key: key(1), quota: quota({ limit: 10, windowMs: 1_000 }), need: cost, want: cost },
      { key: key(2), quota: quota({ algorithm: 'token_bucket', limit: 1, windowMs: 60_000 }), need: 1, want: 1 },
    ];
    const [first] = await runScript(client, takeAllCommand(takes(1), T0));
    expect(first).toMatchObject({ granted: 1, remaining: 9 });
    const before = await new TestCounter(client, key(1), quota({ limit: 10, windowMs: 1_000 })).stored();
    for (let i = 0; i < 5; i += 1) {
      const [second, minute] = await runScript(client, takeAllCommand(takes(1), T0));
      expect(second).toMatchObject({ granted: 0, remaining: 9, retryMs: 0 });
      expect(minute).toMatchObject({ granted: 0, remaining: 0, retryMs: 60_000 });
    }
    expect(await new TestCounter(client, key(1), quota({ limit: 10, windowMs: 1_000 })).stored()).toEqual(before);
  });

  it('known failure 9: a route that refuses leaves the budget of its group to the others', async () => {
    const key = family();
    const group = { key: key(1), quota: quota({ algorithm: 'gcra', limit: 10, windowMs: 60_000 }), need: 1, want: 1 };
    const route = (n: number): CounterTake => ({ key: key(n), quota: quota({ algorithm: 'fixed_window', limit: n === 2 ? 3 : 99, windowMs: 60_000 }), need: 1, want: 1 });
    const call = async (n: number) => (await runScript(client, takeAllCommand([group, route(n)], T0))).every(({ granted }) => granted === 1);
    const many = async (n: number, times: number) => {
      let passed = 0;
      for (let i = 0; i < times; i += 1) passed += (await call(n)) ? 1 : 0;
      return passed;
    };
    expect(await many(2, 5)).toBe(3);
    expect(await many(3, 9)).toBe(7);
  });

  it('one of them can never grant: none is charged', async () => {
    const key = family();
    const takes = ALGORITHMS.map((algorithm, i) => ({ key: key(i), quota: quota({ algorithm, limit: i === 5 ? 2 : 9, windowMs: 1_000 }), need: 3, want: 5 }));
    const outcomes = await runScript(client, takeAllCommand(takes, T0));
    expect(outcomes.map(({ retryMs }) => retryMs)).toEqual([0, 0, 0, 0, 0, NEVER]);
    expect(await client.exists(...takes.flatMap(({ key: each }) => [each, counterPlace(each).group]))).toBe(0);
  });

  it('all charge or none does, as the pure functions would, for 2 to 5 counters of any algorithms', async () => {
    const counters = fc.array(fc.record({ family: anyQuotaFamily, strength: strengths }), { minLength: 2, maxLength: 5 });
    const asks = fc.array(
      fc.record({ waitMs: fc.integer({ min: -300, max: 3_000 }), needs: fc.array(fc.constantFrom(1, 1, 2, 5, 0.4, 0.9, 1.1), { minLength: 5, maxLength: 5 }), peek: fc.constantFrom(false, false, false, true) }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(counters, asks, async (limits, script) => {
        const key = family();
        const quotas = limits.map((limit) => limit.family.at(limit.strength));
        const states: (CounterState | undefined)[] = quotas.map(() => undefined);
        let nowMs = T0;
        const commands = [];
        const expected: unknown[] = [];
        for (const { waitMs, needs, peek } of script) {
          nowMs += waitMs;
          const takes = quotas.map((each, i) => {
            const share = needs[i] ?? 1;
            const need = Math.min(Number.MAX_SAFE_INTEGER, Number.isInteger(share) ? share : Math.max(1, Math.floor(each.burst * share)));
            return { key: key(i), quota: each, need, want: peek ? 0 : need };
          });
          commands.push(takeAllCommand(takes, nowMs));
          expected.push(playAll(takes, states, nowMs));
        }
        const results = await runScripts(client, commands);
        expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))).toEqual(expected);
      }),
      { numRuns: name === 'Redis' ? 300 : 60, seed: 8 },
    );
  });
});

/** What the pure functions make of one request, and the states after it. */
function playAll(takes: readonly (CounterTake & { readonly quota: Quota })[], states: (CounterState | undefined)[], nowMs: number): unknown[] {
  const peeks = takes.map((take, i) => algorithmFor(take.quota.algorithm).peek(states[i], take.quota, take.need, nowMs));
  const admit = peeks.every(({ retryMs }) => retryMs === 0);
  return takes.map((take, i) => {
    const peek = peeks[i];
    if (take.want === 0 || (!admit && peek?.retryMs === 0)) return peek;
    const { outcome, state } = algorithmFor(take.quota.algorithm).take(states[i], take.quota, take.need, take.want, nowMs);
    states[i] = state;
    return outcome;
  });
}
