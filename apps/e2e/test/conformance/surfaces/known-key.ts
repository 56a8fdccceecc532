import type { ControlPlane } from '../../../../../libs/snapshot-client/test/control-plane.js';

/** Makes the control plane know an API key that names a caller of that name. */
export function knownKey({ keys }: ControlPlane, key: string): string {
  if (!keys.has(key)) keys.set(key, { key_id: key, tenant_id: 'tenant', plan: 'free', disabled: false });
  return key;
}
