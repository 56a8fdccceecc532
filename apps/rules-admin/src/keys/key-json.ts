import type { KeyRow } from './key.entity.js';

/** A row as the API has it; nothing of the secret. */
export function keyJson({ id, tenantId, name, disabled, previousExpiresAt, version }: KeyRow): object {
  return { key_id: id, tenant_id: tenantId, name, disabled, ...(previousExpiresAt === null ? {} : { previous_secret_until: previousExpiresAt.toISOString() }), version };
}
