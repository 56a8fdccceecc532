import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createLimiter, type Decision, type Limiter, memoryStore, systemClock } from '@sluice/limiter';
import { compileSnapshot, type Snapshot } from '@sluice/rules';
import type { RulesAdminConfig } from '../config.js';
import { CONFIG } from '../tokens.js';

const DEFAULT_PER_ADDRESS = 10;
/** What everybody together may fail, so that a guess from many addresses does not cost more than one from a few. */
const ADDRESSES = 50;
/** What the rules count the failures of all peers by. */
const DOMAIN = 'logins';

/** A failure that was counted. */
export interface CountedFailure {
  readonly status: 'counted';
  /** It was none after all. */
  takeBack(): void;
}

/** How soon the next failure would be counted. */
export interface FailureRefused {
  readonly status: 'refused';
  readonly retryAfterMs: number;
}

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
 * Failed logins are limited by Sluice's own engine (R62): per peer, IPv6 by its /64, and over all peers. Counters are this process's: each replica allows as many. Only
 * failures count, so that whoever has a valid token is not kept out by others behind the same address.
 */
@Injectable()
export class FailureLimit implements OnApplicationShutdown {
  private readonly limiter: Limiter;

  constructor(@Inject(CONFIG) { loginFailuresPerMinute = DEFAULT_PER_ADDRESS }: RulesAdminConfig) {
    const rules = compileSnapshot(rulesFor(loginFailuresPerMinute));
    this.limiter = createLimiter({ store: memoryStore(systemClock()), rules, fleetSize: 1, maxKeys: 10_000 });
  }

  /** Counts a failure of the peer, unless that would be one too many. */
  async count(ip: string): Promise<CountedFailure | FailureRefused> {
    const decision: Decision = await this.limiter.check({ domain: DOMAIN, ip });
    if (!decision.allowed) return { status: 'refused', retryAfterMs: decision.retryAfterMs ?? 60_000 };
    return { status: 'counted', takeBack: () => void this.limiter.refund(decision) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.limiter.close();
  }
}
