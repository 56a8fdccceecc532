/** Who asks, by the control plane's word. */
export interface Caller {
  /** `token:NAME` or `oidc:SUBJECT`. */
  readonly actor: string;
  readonly role: 'viewer' | 'editor' | 'admin' | 'tenant';
  /** Of a tenant's token the tenant, which sees its own only; else undefined. */
  readonly tenantId: string | undefined;
}
