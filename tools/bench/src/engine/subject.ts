import { createLimiter, fixedLeases } from '@sluice/limiter';
import { compileSnapshot } from '@sluice/rules';
import { GrantingStore } from './granting-store.js';

/** What is measured: one decision for a key, true when it was allowed. */
export interface Subject {
  decide(keyId: string): boolean;
  close(): Promise<void>;
}

/** The engine with every permit at hand: attributes, rule look-up, key, lease, decision value. */
export function engineSubject(keys: number): Subject {
  const rules = compileSnapshot({
    version: 1,
    plans: [{ plan_id: 'free' }],
    rules: [{ rule_id: 'free-default', version: 1, plan: 'free', endpoint: '*', limit: 1_000_000_000, window_seconds: 3600, max_lease: 1_000_000 }],
    overrides: [],
  });
  const limiter = createLimiter({
    store: new GrantingStore(),
    rules,
    sizing: fixedLeases(1_000_000),
    maxKeys: keys * 4,
    maxKeysPerRule: keys * 4,
  });
  return {
    decide(keyId) {
      const decision = limiter.check({ plan: 'free', endpoint: 'GET /v1/items', key_id: keyId });
      if (decision instanceof Promise) throw new Error('a decision that should be local needed a trip');
      return decision.allowed;
    },
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
