import type { Answer } from './ask.js';

/** Checks the fields that each answer of a limited request carries (R70), for a policy `default`. */
export function expectLimits({ headers }: Answer, limit: number, windowSeconds: number): void {
  expect(headers['x-ratelimit-limit']).toBe(String(limit));
  expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  const resetInSeconds = Number(headers['x-ratelimit-reset']) - Date.now() / 1000;
  expect(resetInSeconds).toBeGreaterThan(-1);
  expect(resetInSeconds).toBeLessThanOrEqual(2 * windowSeconds + 1);
  expect(headers['ratelimit-policy']).toBe(`"default";q=${limit};w=${windowSeconds}`);
  expect(headers['ratelimit']).toMatch(new RegExp(`^"default";r=${headers['x-ratelimit-remaining']};t=\\d+$`));
}

/** Checks a refusal: how long to wait, and what it says. */
export function expectRefusal({ headers, json }: Answer): void {
  expect(headers['x-ratelimit-remaining']).toBe('0');
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(json()).toMatchObject({ status: 429, title: expect.any(String), type: expect.any(String) });
}
