import { createLimiter, redisStore } from '@sluice/limiter';
import { compileSnapshot, type RequestAttributes } from '@sluice/rules';
import { bareSubject } from '../cold/subject.js';
import type { Request } from './open-loop.js';

const TIMEOUT_MS = 5_000;
const HOT_CALLERS = 1_000;
const KNOWN_CALLERS = 100_000;
/** One request in so many is of a caller that was never seen. */
const COLD_EVERY = 100;

/** Requests to one limiter on Redis. */
export interface Mix {
  readonly name: string;
  readonly request: Request;
  /** Share of the decisions so far that needed no trip. */
  localShare(): number;
  close(): Promise<void>;
}

/** 99 of 100 requests come from a thousand busy callers, the others from a caller each. */
export const mostlyLocal = (url: string): Promise<Mix> => {
  const busy = callers('hot', HOT_CALLERS);
  return mix('99 % busy callers', url, 'leased', (at) => (at % COLD_EVERY === 0 ? caller(`cold_${at.toString(36)}`) : busy((Math.imul(at, 2654435761) >>> 0) % HOT_CALLERS)));
};

/** Every request asks the store. */
export const allCold = (url: string): Promise<Mix> => {
  const known = callers('key', KNOWN_CALLERS);
  return mix('all ask the store', url, 'exact', (at) => known(at % KNOWN_CALLERS));
};

/** The same of the client alone, with its commands made before: what the store and the machine themselves make of it. */
export const bareCalls = async (url: string): Promise<Mix> => {
  const bare = await bareSubject(url);
  const names = Array.from({ length: KNOWN_CALLERS }, (_, at) => `key_${at}`);
  bare.prepare(names);
  return { name: 'bare EVALSHA', request: (at) => bare.call(names[at % KNOWN_CALLERS] ?? ''), localShare: () => 0, close: () => bare.close() };
};

/** Made before, so that what the loader itself allocates is not taken for the limiter's. */
function callers(name: string, count: number): (at: number) => RequestAttributes {
  const all = Array.from({ length: count }, (_, at) => caller(`${name}_${at}`));
  const [first = caller(name)] = all;
  return (at) => all[at] ?? first;
}

function caller(key_id: string): RequestAttributes {
  return { plan: 'free', endpoint: 'GET /v1/items', key_id };
}

async function mix(name: string, url: string, consistency: 'leased' | 'exact', attributesOf: (at: number) => RequestAttributes): Promise<Mix> {
  const store = redisStore({ url, timeoutMs: TIMEOUT_MS });
  await store.ready(TIMEOUT_MS);
  const rules = compileSnapshot({
    version: 1,
    plans: [{ plan_id: 'free' }],
    rules: [{ rule_id: 'r', version: 1, plan: 'free', endpoint: '*', limit: 100_000_000, window_seconds: 60, consistency }],
    overrides: [],
  });
  const limiter = createLimiter({ store, rules });
  return {
    name,
    request(at) {
      const decision = limiter.check(attributesOf(at));
      return decision instanceof Promise ? decision : undefined;
    },
    localShare() {
      const { local, store: asked } = limiter.stats().decisions;
      return local / (local + asked);
    },
    async close() {
      await limiter.close();
      await store.close();
    },
  };
}
