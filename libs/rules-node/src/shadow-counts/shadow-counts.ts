import type { ShadowVerdict } from '@sluice/limiter';
import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import { countedKey, sendableKey } from './counted-key.js';
import { Minute } from './minute.js';
import type { Tally } from './tally.js';

const MINUTE_MS = 60_000;
/** What the control plane did not take until then is given up. */
export const KEPT_MS = 600_000;

/** One line of a report, as `POST /v1/shadow-counts` takes it; a null key is all of them together. */
export interface CountLine {
  readonly rule_id: string;
  readonly rule_version: number;
  readonly minute: string;
  readonly key: string | null;
  readonly allowed: number;
  readonly denied: number;
  readonly unknown: number;
}

/** A line, and what it is a copy of. */
export interface Unsent {
  readonly line: CountLine;
  readonly acknowledge: () => void;
}

/** What rules in shadow would have said on this node, by rule, version, minute and key (R58). A request costs two look-ups in a map; memory is bounded. */
export class ShadowCounts {
  private readonly minutes = new Map<number, Minute>();
  private current = new Minute(-MINUTE_MS);
  /** Requests that no report will have: the control plane was away for too long. */
  dropped = 0;

  /** @param nowMs when the request was decided, by the store's clock */
  note({ rule }: AppliedRule, verdict: ShadowVerdict, attributes: RequestAttributes, nowMs: number): void {
    const minute = nowMs >= this.current.startMs && nowMs < this.current.startMs + MINUTE_MS ? this.current : this.turnTo(nowMs);
    const counts = minute.of(rule);
    counts.total.add(verdict);
    minute.tallyOf(counts, countedKey(rule, attributes), verdict === 'denied')?.add(verdict);
  }

  /** What has changed since the control plane took it, minute by minute, each looked at when it is asked for. Minutes that are too old are given up at once. */
  unsent(nowMs: number): Iterable<readonly Unsent[]> {
    this.giveUp(nowMs);
    return this.unsentMinutes(nowMs);
  }

  private *unsentMinutes(nowMs: number): Iterable<readonly Unsent[]> {
    for (const minute of this.minutes.values()) {
      minute.nameKeys(nowMs >= minute.startMs + 2 * MINUTE_MS);
      const start = new Date(minute.startMs).toISOString();
      const found: Unsent[] = [];
      for (const { ruleId, ruleVersion, total, byKey } of minute.all) {
        const head = { rule_id: ruleId, rule_version: ruleVersion, minute: start };
        if (total.unsent > 0) found.push(unsentOf(head, null, total));
        for (const [key, tally] of byKey) if (tally.named && tally.unsent > 0) found.push(unsentOf(head, sendableKey(key), tally));
      }
      yield found;
    }
  }

  private turnTo(nowMs: number): Minute {
    const startMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
    const minute = this.minutes.get(startMs) ?? new Minute(startMs);
    this.minutes.set(startMs, minute);
    this.current = minute;
    return minute;
  }

  private giveUp(nowMs: number): void {
    for (const [startMs, minute] of this.minutes) {
      if (nowMs < startMs + MINUTE_MS + KEPT_MS) continue;
      for (const { total } of minute.all) this.dropped += total.unsent;
      this.minutes.delete(startMs);
      if (this.current === minute) this.current = new Minute(-MINUTE_MS);
    }
  }
}

function unsentOf(head: Pick<CountLine, 'rule_id' | 'rule_version' | 'minute'>, key: string | null, tally: Tally): Unsent {
  const { allowed, denied, unknown, sum } = tally;
  return { line: { ...head, key, allowed, denied, unknown }, acknowledge: () => tally.acknowledge(sum) };
}
