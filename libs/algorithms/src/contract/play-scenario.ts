import { NEVER, type Outcome } from '../outcome.js';
import { capacityOf, type AlgorithmName, type Quota } from '../quota.js';
import { quota as quotaOf, type QuotaInput } from '../quota-builder.js';
import type { CounterPort } from './counter-port.js';
import type { Expected, PollStep, RefundStep, Scenario, Step, TakeStep } from './scenario.js';

/** 2026-01-01T00:00:00Z */
const EPOCH_MS = 1_767_225_600_000;

/** Plays a scenario on a counter that was never used; resolves to what went wrong, nothing when all is as it must be. */
export async function playScenario(counter: CounterPort, scenario: Scenario, algorithm: AlgorithmName): Promise<readonly string[]> {
  let input: QuotaInput = { ...scenario.quota, algorithm };
  const { windowMs } = quotaOf(input);
  const player = new Player(counter, scenario.startMs ?? Math.ceil(EPOCH_MS / windowMs) * windowMs);
  for (const [i, step] of scenario.steps.entries()) {
    input = { ...input, ...step.change };
    await player.play(step, quotaOf(input), `step ${i + 1} (${step.do} at ${step.at})`);
  }
  return player.faults;
}

class Player {
  readonly faults: string[] = [];
  /** Of each granted take and charge. */
  private readonly buckets: number[] = [];

  constructor(
    private readonly counter: CounterPort,
    private readonly startMs: number,
  ) {}

  async play(step: Step, quota: Quota, where: string): Promise<void> {
    this.counter.setNow(this.startMs + step.at);
    switch (step.do) {
      case 'take':
        return this.compare(where, await this.take(step, quota, where), step.expect);
      case 'peek': {
        const outcome = await this.counter.peek(quota, step.cost);
        this.checkNumbers(where, outcome, quota);
        return this.compare(where, outcome, { granted: 0, ...step.expect });
      }
      case 'poll':
        return this.poll(step, quota, where);
      case 'refund':
        return this.refund(step, quota, where);
      case 'charge': {
        const outcome = await this.counter.charge(quota, step.amount, step.onlyIfAbsent ?? false);
        this.checkNumbers(where, outcome, quota);
        if (outcome.granted > 0) this.buckets.push(outcome.bucket);
        return this.compare(where, outcome, step.expect);
      }
      case 'reset':
        await this.counter.reset();
    }
  }

  private async take({ need, want = need }: Pick<TakeStep, 'need' | 'want'>, quota: Quota, where: string): Promise<Outcome> {
    const before = await this.counter.peek(quota, need);
    const outcome = await this.counter.acquire(quota, need, want);
    this.checkNumbers(where, outcome, quota);
    if (outcome.granted > 0) this.buckets.push(outcome.bucket);
    // R7, as far as a caller can see it: a denial answers what the peek before it did, and so does the peek after it.
    else if (!quota.chargeDenied) {
      this.compare(`${where}, denied, before it`, before, outcome);
      this.compare(`${where}, denied, after it`, await this.counter.peek(quota, need), outcome);
    }
    return outcome;
  }

  private async poll({ at, need, count, everyMs, granted: [least, most] }: PollStep, quota: Quota, where: string): Promise<void> {
    let granted = 0;
    for (let i = 0; i < count; i += 1) {
      this.counter.setNow(this.startMs + at + i * everyMs);
      const outcome = await this.counter.acquire(quota, need, need);
      this.checkNumbers(`${where}, call ${i + 1}`, outcome, quota);
      if (outcome.granted === 0) continue;
      granted += 1;
      this.buckets.push(outcome.bucket);
    }
    if (granted < least || granted > most) this.faults.push(`${where}: ${granted} of ${count} granted, not ${least} to ${most}`);
  }

  private async refund({ amount, ofTake = -1, refunded: expected }: RefundStep, quota: Quota, where: string): Promise<void> {
    const refunded = await this.counter.refund(quota, amount, this.buckets.at(ofTake) ?? 0);
    if (refunded !== expected) this.faults.push(`${where}: refunded is ${refunded}, not ${expected}`);
    this.checkNumbers(where, await this.counter.peek(quota, 0), quota);
  }

  private compare(where: string, outcome: Outcome, expected: Expected): void {
    const faults = Object.entries(expected)
      .filter(([name, value]) => value !== Reflect.get(outcome, name))
      .map(([name, value]) => `${where}: ${name} is ${String(Reflect.get(outcome, name))}, not ${String(value)}`);
    this.faults.push(...faults);
  }

  /** R10: every number an integer in its range, whatever happened. */
  private checkNumbers(where: string, outcome: Outcome, quota: Quota): void {
    for (const [name, value] of Object.entries(outcome)) {
      const least = name === 'retryMs' ? NEVER : name === 'bucketEndsInMs' ? 1 : 0;
      if (!Number.isSafeInteger(value) || value < least || Object.is(value, -0)) this.faults.push(`${where}: ${name} is ${String(value)}`);
    }
    if (outcome.remaining > capacityOf(quota)) this.faults.push(`${where}: remaining ${outcome.remaining} is above the capacity`);
  }
}
