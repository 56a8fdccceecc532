import { randomUUID } from 'node:crypto';
import type { Answer, Call, ControlPlane } from './control-plane.js';

export const HOUR_MS = 60 * 60 * 1000;

/** ISO 8601, so much from now. */
export const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Two plans, a tenant with two keys, and rules of several kinds. */
export async function furnish(plane: ControlPlane): Promise<void> {
  await plane.put('/v1/plans/free', { default_limit: { limit: 5, window_seconds: 1 } });
  await plane.put('/v1/plans/pro', {});
  await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
  for (const key_id of ['key-a', 'key-b']) await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: key_id, key_id } });
  const rules = {
    bucket: { plan: 'free', endpoint: '/bucket', algorithm: 'token_bucket', limit: 10, window_seconds: 1, burst: 20 },
    window: { plan: 'free', endpoint: '/window', algorithm: 'fixed_window', limit: 10, window_seconds: 60 },
    'by-ip': { endpoint: '/ip', limit: 10, window_seconds: 1, count_by: ['ip'] },
    'pro-only': { plan: 'pro', endpoint: '/pro', limit: 10, window_seconds: 1 },
    resting: { endpoint: '/resting', limit: 10, window_seconds: 1, mode: 'off' },
  };
  for (const [id, rule] of Object.entries(rules)) await plane.put(`/v1/rules/${id}`, rule);
}

/** What an override is created with, unless said otherwise. */
export const OVERRIDE = { key_id: 'key-a', rule_id: 'window', limit: 500, expires_at: inMs(24 * HOUR_MS) };

/** `POST /v1/overrides`, under a new key unless told which. */
export function createOverride(plane: ControlPlane, json: object = OVERRIDE, key: string | null = `"${randomUUID()}"`, call: Partial<Call> = {}): Promise<Answer> {
  return plane.call('/v1/overrides', { method: 'POST', json, headers: key === null ? {} : { 'idempotency-key': key }, ...call });
}

/** The ids of all overrides that there are. */
export async function overrideIds(plane: ControlPlane, query = ''): Promise<string[]> {
  const { body } = await plane.call(`/v1/overrides?limit=1000${query}`);
  return (body['overrides'] as { override_id: string }[]).map(({ override_id }) => override_id);
}
