import type { BucketUse, Quota, Usage } from '@sluice/algorithms';
import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { Refunds } from './approximate/refunds.js';
import type { Clock } from './clock.js';
import type { Fallback } from './fallback.js';
import type { Leases } from './lease/leases.js';
import type { Found, Part } from './split/combined-answer.js';
import type { Counted, CounterStore, GiveBack } from './store/counter-store.js';
import { StoreFault } from './store/store-fault.js';

/** Of a log each entry is a bucket, and only the newest is seen at a time. */
const MOST_ROUNDS = 16;

export interface GiveBacksParts {
  readonly store: CounterStore;
  readonly clock: Clock;
  readonly refunds: Refunds;
  readonly fallback: Fallback;
  readonly leases: Pick<Leases, 'find' | 'refreshed'>;
}

/**
 * Gives permits back that no decision names: to what is in use now, the newest charges first, each to the bucket that it was charged to, so that nothing gets
 * above the limit or into another window (R9). What this node holds unspent is not in use; what other nodes hold can not be told from it.
 */
export class GiveBacks {
  /** By counter: the last one in line. Two that read the same use would both give it back. */
  private readonly lines = new Map<string, Promise<number>>();

  constructor(private readonly parts: GiveBacksParts) {}

  /** Resolves to the permits that one counter got back. One at a time for each counter. */
  async to(applied: AppliedRule, attributes: RequestAttributes, amount: number): Promise<number> {
    const { key } = this.find(applied, attributes);
    const turn = (): Promise<number> => this.inTurn(applied, attributes, amount);
    const before = this.lines.get(key);
    const mine = before === undefined ? turn() : before.then(turn, turn);
    this.lines.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.lines.get(key) === mine) this.lines.delete(key);
    }
  }

  private async inTurn(applied: AppliedRule, attributes: RequestAttributes, amount: number): Promise<number> {
    const isLog = applied.quota.algorithm === 'sliding_log';
    let given = 0;
    for (let round = 0; round < (isLog ? MOST_ROUNDS : 1) && given < amount; round += 1) {
      const more = await this.once(applied, attributes, amount - given);
      given += more;
      if (more === 0) break;
    }
    return given;
  }

  private find(applied: AppliedRule, attributes: RequestAttributes): Found {
    return this.parts.leases.find(applied, attributes, this.parts.clock.nowMs());
  }

  private async once(applied: AppliedRule, attributes: RequestAttributes, amount: number): Promise<number> {
    const { key, parts: before } = this.find(applied, attributes);
    const usages = await usagesOf(this.parts.store, before);
    const parts = mostHeld(before, this.find(applied, attributes).parts);
    if (usages.every((usage) => usage instanceof StoreFault)) return applied.rule.onStoreFailure === 'allow' ? this.toFallback(key, applied.quota, amount) : 0;
    let left = amount;
    const returns = parts.flatMap((part, at) => {
      const usage = usages[at];
      return usage === undefined || usage instanceof StoreFault ? [] : givableOf(part, usage);
    });
    const entries = returns.flatMap((entry): GiveBack | readonly [] => {
      const share = Math.min(left, entry.amount);
      left -= share;
      return share > 0 ? { ...entry, amount: share } : [];
    });
    if (entries.length === 0) return 0;
    const answers = await this.parts.refunds.giveBack(entries);
    for (const entry of entries) this.parts.leases.refreshed(entry.key);
    return answers.reduce<number>((sum, answer) => sum + (answer instanceof StoreFault ? 0 : answer), 0);
  }

  /** The store is away: what this node counts by itself meanwhile (R41). */
  private toFallback(key: string, quota: Quota, amount: number): number {
    const { fallback } = this.parts;
    return fallback.giveBack(key, quota, amount, fallback.peek(key, quota, 0).bucket);
  }
}

/** Permits that came to this node, or left it, while the use was read may be in what was read: they count as held. */
function mostHeld(before: readonly Part[], after: readonly Part[]): readonly Part[] {
  const now = new Map(after.map((part) => [part.key, part.held]));
  return before.map((part) => ({ ...part, held: Math.max(part.held, now.get(part.key) ?? part.held) }));
}

/** What can be given back of a counter: what it has in use but what this node holds of it, the newest first; before that what was admitted and not reported (R29). */
function givableOf({ key, quota, held, bucket }: Part, { parts }: Usage): readonly GiveBack[] {
  const unreported = held < 0 && bucket !== undefined ? [{ key, quota, bucket, amount: -held }] : [];
  let holds = Math.max(0, held);
  const used = [...parts].reverse().flatMap((use): GiveBack | readonly [] => {
    const free = Math.max(0, use.amount - holds);
    holds = Math.max(0, holds - use.amount);
    return free > 0 ? { key, quota, bucket: use.bucket, amount: free } : [];
  });
  return [...unreported, ...used];
}

/** What is in use of each counter, by bucket, the oldest first. */
async function usagesOf(store: CounterStore, counters: readonly Counted[]): Promise<readonly (Usage | StoreFault)[]> {
  const logs = counters.some(({ quota }) => quota.algorithm === 'sliding_log');
  if (store.usage !== undefined && !logs) return store.usage(counters.map(({ key, quota }) => ({ key, quota })));
  const answers = await store.take(counters.map(({ key, quota }) => ({ key, quota, need: 0, want: 0, backAmount: 0, backBucket: 0 })));
  return answers.map((answer, at) => {
    const quota = counters[at]?.quota;
    if (answer instanceof StoreFault || quota === undefined) return answer instanceof StoreFault ? answer : new StoreFault('rejected', 'the store left an ask unanswered');
    const { nowMs, resetMs, remaining, bucket } = answer;
    // A log names a charge by its instant, and is free a window after the newest one.
    const newest: BucketUse = { bucket: quota.algorithm === 'sliding_log' ? nowMs + resetMs - quota.windowMs : bucket, amount: quota.burst - remaining };
    return { nowMs, parts: newest.amount > 0 ? [newest] : [] };
  });
}
