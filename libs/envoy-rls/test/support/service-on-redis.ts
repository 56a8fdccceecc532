import { createLimiter, type Decision, type Limiter, redisStore } from '@sluice/limiter';
import { compileSnapshot, type RequestAttributes, type Rule, type RuleIndex } from '@sluice/rules';
import type { RedisServer } from '@sluice/testkit';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { createRateLimitService, type RateLimitService, type RateLimitServiceOptions } from '../../src/service/rate-limit-service.js';

/** The service on an engine of its own. */
export interface ServiceOnRedis {
  readonly service: RateLimitService;
  readonly limiter: Limiter;
  /** What `observe` heard. */
  readonly observed: readonly Decision[];
  /** The attributes that came with each of them. */
  readonly attributes: readonly (RequestAttributes | undefined)[];
  /** All that is in the Redis, to compare byte by byte. */
  dump(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export function indexOf(rules: readonly Partial<Rule>[], version = 1): RuleIndex {
  return compileSnapshot({ version, plans: [], overrides: [], rules: rules.map((rule, at) => ({ rule_id: `rule-${at + 1}`, version, limit: 1, window_seconds: 60, ...rule })) });
}

/** Counters of one service meet those of no other. */
export async function serviceOnRedis({ url }: RedisServer, rules: readonly Partial<Rule>[], options: Partial<RateLimitServiceOptions> = {}): Promise<ServiceOnRedis> {
  // Slow machines are no store that is away.
  const store = redisStore({ url, timeoutMs: 2_000 });
  await store.ready(5_000);
  const limiter = createLimiter({ store, rules: indexOf(rules), keyPrefix: randomBytes(4).toString('hex') });
  const observed: Decision[] = [];
  const attributes: (RequestAttributes | undefined)[] = [];
  return {
    service: createRateLimitService({ limiter, observe: (decision, _seconds, known) => void (observed.push(decision), attributes.push(known)), ...options }),
    limiter,
    observed,
    attributes,
    dump: () => dumpOf(url),
    async close() {
      await limiter.close();
      await store.close();
    },
  };
}

async function dumpOf(url: string): Promise<Readonly<Record<string, string>>> {
  const redis = new Redis(url);
  try {
    // But what nodes say of themselves each second.
    const keys = (await redis.keys('*')).filter((key) => !key.endsWith('{nodes}')).sort();
    return Object.fromEntries(await Promise.all(keys.map(async (key) => [key, (await redis.dumpBuffer(key))?.toString('hex') ?? ''] as const)));
  } finally {
    redis.disconnect();
  }
}
