import type { CounterStore, Decision, LimiterStats } from '@sluice/limiter';
import type { CheckResult, Logger } from '@sluice/platform';

/** A remote store says whether commands can be sent, and which servers it has given up; one in this process is always there. */
export type WatchedStore = CounterStore & { readonly connected?: boolean; readonly givenUp?: readonly string[] };

export interface CounterWatchOptions {
  readonly store: Pick<WatchedStore, 'connected' | 'givenUp'>;
  readonly stats: () => Pick<LimiterStats, 'asks' | 'faults' | 'decisions' | 'fleetSize'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Without a decision by the fallback for this long, it is over; so two lines are the most that flapping logs in this time. Default 10 s. */
  readonly quietMs?: number;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

/** Says whether decisions stand on the shared counters, in readiness and in the log. */
export class CounterWatch {
  private readonly quietMs: number;
  private readonly nowMs: () => number;
  private lastMs = -Infinity;
  private sinceMs: number | undefined;

  constructor(private readonly options: CounterWatchOptions) {
    this.quietMs = options.quietMs ?? 10_000;
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Takes every decision. While all is well it reads no clock. */
  see({ policies }: Pick<Decision, 'policies'>): void {
    const byFallback = policies.some(({ source }) => source === 'fallback');
    if (!byFallback && this.sinceMs === undefined) return;
    const nowMs = this.nowMs();
    if (byFallback) {
      this.lastMs = nowMs;
      if (this.sinceMs === undefined) this.begin(nowMs);
    } else if (nowMs - this.lastMs >= this.quietMs) this.end(nowMs);
  }

  /** Always ok: a node without its store serves on by each rule's fallback (R41), and taking all nodes out of service would be worse. */
  readiness(): CheckResult {
    const { asks, faults, decisions } = this.options.stats();
    const connected = this.options.store.connected ?? true;
    const givenUp = this.options.store.givenUp ?? [];
    const degraded = !connected || givenUp.length > 0 || this.nowMs() - this.lastMs < this.quietMs;
    const share = asks === 0 ? 0 : (faults / asks) * 100;
    const state = `${degraded ? 'degraded: ' : ''}${connected ? 'connected' : 'not connected'}${givenUp.length > 0 ? `, ${givenUp.join(' and ')} given up` : ''}`;
    return { ok: true, detail: `${state}; ${faults} of ${asks} questions not answered (${share.toFixed(1)} %), ${decisions.fallback} decisions by the fallback` };
  }

  private begin(nowMs: number): void {
    this.sinceMs = nowMs;
    const { connected = true } = this.options.store;
    this.options.logger.warn({ connected, fleet_size: this.options.stats().fleetSize }, 'decisions come from the fallback; the counter store does not answer');
  }

  private end(nowMs: number): void {
    const duration_ms = Math.round(nowMs - (this.sinceMs ?? nowMs));
    this.sinceMs = undefined;
    this.options.logger.warn({ duration_ms, fallback_decisions: this.options.stats().decisions.fallback }, 'decisions stand on the counter store again');
  }
}
