import type { AdminTokenRow } from './admin-token.entity.js';

/** A row as the log keeps it; nothing of the token. When it was used last is no part of it. */
export function adminTokenJson({ id, role, tenantId, createdAt, createdBy, expiresAt, version }: AdminTokenRow): object {
  return { name: id, role, tenant_id: tenantId, created_at: createdAt.toISOString(), created_by: createdBy, expires_at: expiresAt?.toISOString() ?? null, version };
}
