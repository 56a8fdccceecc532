import { createLimiter, type Limiter, type Reservation, StoreFault } from '../../src/index.js';
import { type node, rulesOf, type RuleInput } from './fixture.js';

export const key = { key_id: 'k1' };
export const gone = new StoreFault('timeout', 'no answer');
export const NOTHING = { charged: 0, returned: 0, indebted: 0 };

/** Tokens a minute, asked every time, so that what remains is the counter's own. */
export const tokens: RuleInput = { rule_id: 'tokens', limit: 100, window_seconds: 60, algorithm: 'fixed_window', consistency: 'exact' };

export async function reserved(limiter: Limiter, estimate: number, ttlMs?: number): Promise<Extract<Reservation, { readonly id: string }>> {
  const reservation = await limiter.reserve(key, estimate, { ttlMs });
  if (reservation.id === undefined) throw new Error('denied');
  return reservation;
}

export async function remaining(limiter: Limiter): Promise<readonly number[]> {
  return (await limiter.limits(key)).map((policy) => policy.remaining);
}

/** Another node on the same store. */
export function second({ memory, clock }: ReturnType<typeof node>, rules = [tokens]): Limiter {
  return createLimiter({ store: memory, rules: rulesOf(rules), clock });
}
