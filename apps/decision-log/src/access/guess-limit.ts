import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createLimiter, type Limiter, memoryStore, systemClock } from '@sluice/limiter';
import { compileSnapshot, type Snapshot } from '@sluice/rules';
import type { DecisionLogConfig } from '../config/decision-log-config.js';
import { CONFIG } from '../tokens.js';

const DEFAULT_PER_ADDRESS = 10;
/** How many addresses may guess as much as one may: a hundred guesses a second by default, which the control plane answers in passing. Fewer would let few addresses shut out who is new here. */
const ADDRESSES = 600;
/** What the rules count the guesses of all peers by. */
const DOMAIN = 'guesses';

/** A guess that was counted, or how soon the next one would be. */
export type Guess = { readonly status: 'counted'; takeBack(): void } | { readonly status: 'refused'; readonly retryAfterMs: number };

function rulesFor(perAddress: number): Snapshot {
  const quota = { version: 1, window_seconds: 60, algorithm: 'sliding_counter', consistency: 'exact' } as const;
  return {
    version: 1,
    plans: [],
    overrides: [],
    rules: [
      { ...quota, rule_id: 'address', policy: 'address', count_by: ['ip'], limit: perAddress },
      { ...quota, rule_id: 'everybody', policy: 'everybody', count_by: ['domain'], limit: perAddress * ADDRESSES },
    ],
  };
}

/**
 * How many tokens that this process has not heard of are asked about, by Sluice's own engine: per peer, IPv6 by its /64, and over all peers. The control plane counts
 * failures by address as well, but all of ours come from one. A token that was good lately is no guess.
 */
@Injectable()
export class GuessLimit implements OnApplicationShutdown {
  private readonly limiter: Limiter;

  constructor(@Inject(CONFIG) { loginFailuresPerMinute = DEFAULT_PER_ADDRESS }: Partial<Pick<DecisionLogConfig, 'loginFailuresPerMinute'>>) {
    const rules = compileSnapshot(rulesFor(loginFailuresPerMinute));
    this.limiter = createLimiter({ store: memoryStore(systemClock()), rules, fleetSize: 1, maxKeys: 10_000 });
  }

  /** Counts a guess of the peer, unless that would be one too many. */
  async count(ip: string): Promise<Guess> {
    const decision = await this.limiter.check({ domain: DOMAIN, ip });
    if (!decision.allowed) return { status: 'refused', retryAfterMs: decision.retryAfterMs ?? 60_000 };
    return { status: 'counted', takeBack: () => void this.limiter.refund(decision) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.limiter.close();
  }
}
