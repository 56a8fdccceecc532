import type { CallerRole } from './caller-role.js';

/** Who asks, by the control plane's word. */
export interface Caller {
  /** `token:NAME` or `oidc:SUBJECT`. */
  readonly actor: string;
  readonly role: CallerRole;
  /** Of a tenant's token the tenant, which sees its own only; else undefined. */
  readonly tenantId: string | undefined;
}
