import type { KeyRow } from './key.entity.js';

/** A row as the API has it; nothing of the secret. */
export function keyJson({ id, tenantId, name, disabled, version }: KeyRow): object {
  return { key_id: id, tenant_id: tenantId, name, disabled, version };
}
