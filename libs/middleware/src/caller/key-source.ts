import type { Caller } from './caller.js';

/** An authoritative answer about one key. */
export type KeyAnswer =
  /** `validForMs`: the secret was replaced, and is good for no longer than that, whatever becomes of the control plane. */
  | { readonly kind: 'known'; readonly caller: Caller; readonly validForMs?: number }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'unknown' };

/**
 * Asks who a key belongs to, by its hash.
 *
 * @throws Error when there is no authoritative answer: network, time, a refused token, a malformed reply
 */
export type KeySource = (keyHash: string) => Promise<KeyAnswer>;

export interface AdminKeySourceOptions {
  /** Base of the control plane. */
  readonly url: string;
  readonly token: string | undefined;
  /** Default 1000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** {@link KeySource} over `POST {url}/v1/keys:lookup` of the control plane. */
export function adminKeySource({ url, token, timeoutMs = 1000, fetch: send = fetch }: AdminKeySourceOptions): KeySource {
  const target = `${url.endsWith('/') ? url.slice(0, -1) : url}/v1/keys:lookup`;
  const headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  return async (keyHash) => {
    const body = JSON.stringify({ key_hash: keyHash });
    const response = await send(target, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (response.status === 200) return readAnswer(await response.json());
    await response.body?.cancel();
    if (response.status === 404) return { kind: 'unknown' };
    throw new Error(`key lookup answered ${response.status}`);
  };
}

function readAnswer(body: unknown): KeyAnswer {
  if (typeof body === 'object' && body !== null && 'key_id' in body && 'tenant_id' in body && 'plan' in body) {
    const { key_id: keyId, tenant_id: tenantId, plan } = body;
    const disabled = 'disabled' in body ? body.disabled : false;
    if (disabled === true) return { kind: 'disabled' };
    if (disabled === false && typeof keyId === 'string' && typeof tenantId === 'string' && typeof plan === 'string') {
      const validFor: unknown = 'valid_for_seconds' in body ? body.valid_for_seconds : undefined;
      const caller = { keyId, tenantId, plan };
      if (validFor === undefined) return { kind: 'known', caller };
      if (typeof validFor === 'number' && validFor >= 0) return { kind: 'known', caller, validForMs: validFor * 1_000 };
    }
  }
  throw new Error('key lookup answered something else than a key');
}
