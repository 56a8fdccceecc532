/** Who a request is from, as the control plane says by the hash of an API key. */
export interface Caller {
  readonly keyId: string;
  readonly tenantId: string;
  readonly plan: string;
}

/** What an API key came to. Only `known` may pass. */
export type KeyLookup =
  | { readonly kind: 'known'; readonly caller: Caller }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'unknown' }
  /** The control plane cannot be asked and nothing is remembered of this key: 503, not 401. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number };
