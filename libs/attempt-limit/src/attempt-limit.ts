import { createLimiter, type Limiter, memoryStore, systemClock } from '@sluice/limiter';
import { compileSnapshot, type Snapshot } from '@sluice/rules';

/** What the rules count the attempts of all addresses by. */
const DOMAIN = 'attempts';

/** An attempt that was counted, or how soon the next one would be. */
export type Attempt = { readonly status: 'counted'; /** It was none after all. */ takeBack(): void } | { readonly status: 'refused'; readonly retryAfterMs: number };

export interface AttemptLimits {
  /** Of one address in a minute; IPv6 by its /64. */
  readonly perAddress: number;
  /** How many addresses may try as often as one may: all together no more than that, so that many do not cost more than few. */
  readonly addresses: number;
}

function rulesFor({ perAddress, addresses }: AttemptLimits): Snapshot {
  const quota = { version: 1, window_seconds: 60, algorithm: 'sliding_counter', consistency: 'exact' } as const;
  return {
    version: 1,
    plans: [],
    overrides: [],
    rules: [
      { ...quota, rule_id: 'address', policy: 'address', count_by: ['ip'], limit: perAddress },
      { ...quota, rule_id: 'everybody', policy: 'everybody', count_by: ['domain'], limit: perAddress * addresses },
    ],
  };
}

/** Limits attempts by Sluice's own engine (R62). Counters are this process's: each replica allows as many. */
export class AttemptLimit {
  private readonly limiter: Limiter;

  constructor(limits: AttemptLimits) {
    this.limiter = createLimiter({ store: memoryStore(systemClock()), rules: compileSnapshot(rulesFor(limits)), fleetSize: 1, maxKeys: 10_000 });
  }

  /** Counts an attempt of the address, unless that would be one too many. */
  async count(ip: string): Promise<Attempt> {
    const decision = await this.limiter.check({ domain: DOMAIN, ip });
    if (!decision.allowed) return { status: 'refused', retryAfterMs: decision.retryAfterMs ?? 60_000 };
    return { status: 'counted', takeBack: () => void this.limiter.refund(decision) };
  }

  async close(): Promise<void> {
    await this.limiter.close();
  }
}
