import { type Outcome, type Quota } from '@sluice/algorithms';
import { chargeCommand, counterPlace, peekCommand, refundCommand, resetCommand, runScript, takeCommand, type ScriptClient } from '@sluice/lua-scripts';

/** One counter under a clock that the test moves; without `nowMs` the store's own clock decides. */
export class TestCounter {
  constructor(
    private readonly client: ScriptClient,
    readonly key: string,
    public quota: Quota,
    public nowMs?: number,
  ) {}

  /** What Redis keeps it under: the hash that it shares, or its own list. */
  get redisKey(): string {
    return this.quota.algorithm === 'sliding_log' ? this.key : counterPlace(this.key).group;
  }

  take(need = 1, want = need): Promise<Outcome> {
    return runScript(this.client, takeCommand(this.key, this.quota, need, want, { nowMs: this.nowMs }));
  }

  /** The permits that a take of each cost was granted, one after the other. */
  async granted(...needs: number[]): Promise<number[]> {
    const granted: number[] = [];
    for (const need of needs) granted.push((await this.take(need)).granted);
    return granted;
  }

  peek(cost = 0): Promise<Outcome> {
    return runScript(this.client, peekCommand(this.key, this.quota, cost, { nowMs: this.nowMs }));
  }

  refund(amount: number, bucket: number): Promise<number> {
    return runScript(this.client, refundCommand(this.key, this.quota, { amount, bucket }, this.nowMs));
  }

  charge(amount: number, onlyIfAbsent = false): Promise<Outcome> {
    return runScript(this.client, chargeCommand(this.key, this.quota, amount, { onlyIfAbsent, nowMs: this.nowMs }));
  }

  reset(): Promise<number> {
    return runScript(this.client, resetCommand(this.key));
  }

  /** All that Redis keeps of it, and of its group: the bytes, and when they expire, ms since the epoch. */
  async stored(): Promise<{ dump: string | undefined; expiresAt: number }> {
    const [dump, expiresAt] = await Promise.all([this.client.dumpBuffer(this.redisKey), this.client.pexpiretime(this.redisKey)]);
    return { dump: dump?.toString('hex'), expiresAt };
  }
}
