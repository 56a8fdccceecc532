import type { SplitCounter } from '@sluice/lua-scripts';
import type { SplitsAsk } from '../store/counter-store.js';

interface Known extends SplitCounter {
  /** Not to be split again before. */
  readonly barredMs: number;
}

/** What `splits.lua` and `claim-move.lua` keep in Redis, for stores in this process. */
export class KnownSplits {
  private readonly splits = new Map<string, Map<string, Known>>();
  private readonly claims = new Map<string, string>();

  ask({ key, proposals, leadMs, holdMs, barMs, most }: SplitsAsk, nowMs: number): readonly SplitCounter[] {
    const known = this.splits.get(key) ?? new Map<string, Known>();
    this.splits.set(key, known);
    for (const { counter, untilMs, barredMs } of known.values()) if (untilMs + leadMs <= nowMs && barredMs <= nowMs) this.forget(known, counter);
    for (const { counter, shards } of proposals) {
      const split = known.get(counter);
      const untilMs = nowMs + leadMs + (shards > 0 ? holdMs : 0);
      if (split !== undefined && split.untilMs - leadMs > nowMs) {
        known.set(counter, { ...split, untilMs: Math.max(untilMs, split.fromMs), barredMs: shards > 0 ? split.barredMs : nowMs + barMs });
      }
      else if (split === undefined && shards > 0 && known.size < most) known.set(counter, { counter, shards, fromMs: nowMs + leadMs, untilMs, barredMs: 0 });
    }
    return [...known.values()];
  }

  claim(key: string, counter: string, step: string, nodeId: string): boolean {
    if (this.splits.get(key)?.has(counter) !== true) return false;
    const name = JSON.stringify([counter, step]);
    const holder = this.claims.get(name) ?? nodeId;
    this.claims.set(name, holder);
    return holder === nodeId;
  }

  private forget(known: Map<string, Known>, counter: string): void {
    known.delete(counter);
    for (const name of this.claims.keys()) if (name.startsWith(`[${JSON.stringify(counter)},`)) this.claims.delete(name);
  }
}
