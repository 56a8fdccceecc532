import { type Outcome, type Quota } from '@sluice/algorithms';
import { playScenario, STORE_SCENARIOS, type CounterPort } from '@sluice/algorithms/contract';
import { chargeCommand, peekCommand, refundCommand, resetCommand, runScript, takeCommand, type ScriptClient } from '@sluice/lua-scripts';
import { STORES, testKeys } from './support/redis.js';

/** A counter that is nothing but calls of the scripts. */
class ScriptCounter implements CounterPort {
  private nowMs = 0;

  constructor(
    private readonly client: ScriptClient,
    private readonly key: string,
  ) {}

  setNow(nowMs: number): void {
    this.nowMs = nowMs;
  }

  acquire(quota: Quota, need: number, want: number): Promise<Outcome> {
    return runScript(this.client, takeCommand(this.key, quota, need, want, { nowMs: this.nowMs }));
  }

  peek(quota: Quota, cost: number): Promise<Outcome> {
    return runScript(this.client, peekCommand(this.key, quota, cost, { nowMs: this.nowMs }));
  }

  refund(quota: Quota, amount: number, bucket: number): Promise<number> {
    return runScript(this.client, refundCommand(this.key, quota, { amount, bucket }, this.nowMs));
  }

  charge(quota: Quota, amount: number, onlyIfAbsent: boolean): Promise<Outcome> {
    return runScript(this.client, chargeCommand(this.key, quota, amount, { onlyIfAbsent, nowMs: this.nowMs }));
  }

  async reset(): Promise<void> {
    await runScript(this.client, resetCommand(this.key));
  }
}

// Redis Cluster is played by the contract suite of the limiter, through the same scripts.
describe.each(STORES.slice(0, 1))('R2 what every counter store must answer, by the scripts on $name', ({ connect }) => {
  const newKey = testKeys();
  let client: ScriptClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  const cases = STORE_SCENARIOS.flatMap((scenario) => scenario.algorithms.map((algorithm) => ({ title: `${scenario.title} (${algorithm})`, scenario, algorithm })));

  it.each(cases)('$title', async ({ scenario, algorithm }) => {
    expect(await playScenario(new ScriptCounter(client, newKey()), scenario, algorithm)).toEqual([]);
  });
});
