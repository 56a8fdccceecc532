import { createLimiter, fixedLeases, type LimiterStats } from '@sluice/limiter';
import { compileSnapshot } from '@sluice/rules';
import { GrantingStore } from './granting-store.js';

/** What is measured: one decision for a key, true when it was allowed. */
export interface Subject {
  decide(keyId: string): boolean;
  close(): Promise<void>;
}

export interface EngineSubject extends Subject {
  decide(keyId: string, cost?: number): boolean;
  stats(): LimiterStats;
}

/**
 * The engine: attributes, rule look-up, lease, decision value. The store grants leases of `chunk` permits at once; by default so many
 * that every permit is at hand from the second decision of a key on.
 */
export function engineSubject(keys: number, chunk = 1_000_000, maxKeys = keys * 4): EngineSubject {
  const rules = compileSnapshot({
    version: 1,
    plans: [{ plan_id: 'free' }],
    rules: [{ rule_id: 'free-default', version: 1, plan: 'free', endpoint: '*', limit: 1_000_000_000, window_seconds: 3600, max_lease: 1_000_000 }],
    overrides: [],
  });
  const limiter = createLimiter({ store: new GrantingStore(), rules, sizing: fixedLeases(chunk), maxKeys, maxKeysPerRule: maxKeys });
  return {
    decide(keyId, cost) {
      const decision = limiter.check({ plan: 'free', endpoint: 'GET /v1/items', key_id: keyId }, cost);
      if (decision instanceof Promise) throw new Error('a decision that should be local needed a trip');
      return decision.allowed;
    },
    stats: () => limiter.stats(),
    close: () => limiter.close(),
  };
}

interface Counter {
  remaining: number;
  resetAtMs: number;
  lastUsedMs: number;
}

/** The least that a limiter in a process can do: build the same key, find an object in a Map, count down. */
export function mapSubject(): Subject {
  const counters = new Map<string, Counter>();
  return {
    decide(keyId) {
      const attributes = { plan: 'free', endpoint: 'GET /v1/items', key_id: keyId };
      const key = `free-default:sliding_counter:3600000:${attributes.key_id}`;
      const nowMs = Math.floor(performance.now());
      let counter = counters.get(key);
      if (counter === undefined) {
        counter = { remaining: 1_000_000, resetAtMs: nowMs + 3_600_000, lastUsedMs: nowMs };
        counters.set(key, counter);
      }
      counter.lastUsedMs = nowMs;
      counter.remaining -= 1;
      return counter.remaining >= 0;
    },
    close: () => {
      counters.clear();
      return Promise.resolve();
    },
  };
}
