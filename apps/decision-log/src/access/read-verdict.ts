import { problemType } from '@sluice/platform';
import { callerRole } from './caller-role.js';
import type { TokenVerdict } from './token-verdict.js';

/** What the answer of `GET /v1/tokens:self` means; one that is not as documented is no answer. */
export function readVerdict(status: number, body: unknown): TokenVerdict {
  if (status === 401) return { status: 'unknown' };
  if (status === 403) return { status: 'no_role', actor: undefined };
  if (status === 429) return { status: 'throttled' };
  if (status === 503 && fieldsOf(body)['type'] === problemType('issuer-unavailable')) return { status: 'issuer_away' };
  if (status !== 200) return { status: 'away', why: `it answered ${status}` };
  const { actor, role: roleName, tenant_id: tenantId, expires_at: expiresAt } = fieldsOf(body);
  const expiresAtMs = expiresAt === null ? Infinity : Date.parse(String(expiresAt));
  const isReadable = typeof actor === 'string' && typeof roleName === 'string' && (tenantId === null || typeof tenantId === 'string') && !Number.isNaN(expiresAtMs);
  if (!isReadable) return { status: 'away', why: 'its answer is not as documented' };
  const role = callerRole(roleName);
  // A role of a tenant without one would see all of them.
  if (role === undefined || (role === 'tenant') !== (tenantId !== null)) return { status: 'no_role', actor };
  return { status: 'known', caller: { actor, role, tenantId: tenantId ?? undefined }, expiresAtMs };
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
