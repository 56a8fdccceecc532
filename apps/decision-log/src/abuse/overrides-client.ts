/** An override as the control plane has it. */
export interface LiveOverride {
  readonly overrideId: string;
  readonly limit: number;
  readonly expiresAtMs: number;
  readonly reason: string;
}

/** What is to be made. */
export interface NewOverride {
  readonly keyId: string;
  readonly ruleId: string;
  readonly limit: number;
  readonly expiresAtMs: number;
  readonly reason: string;
}

/** `later`: nobody can say now. `key_used`: the idempotency key was for something else. */
export type Made = { readonly status: 'made'; readonly overrideId: string } | { readonly status: 'refused' | 'later' | 'key_used'; readonly why: string };

export interface OverridesClientOptions {
  readonly adminUrl: string;
  /** Of the service itself. */
  readonly token: string;
  readonly timeoutMs?: number;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The control plane as far as overrides go: all that changes anything here goes through it, and is in its audit. */
export class OverridesClient {
  constructor(private readonly options: OverridesClientOptions) {}

  /**
   * Permits per window of a rule, or of a plan's default for `plan:<plan_id>`; undefined where there is no such limit.
   * @throws Error where the control plane cannot be asked
   */
  async limitOf(ruleId: string): Promise<number | undefined> {
    const planId = ruleId.startsWith('plan:') ? ruleId.slice('plan:'.length) : undefined;
    const { status, body } = await this.ask('GET', planId === undefined ? `/v1/rules/${encodeURIComponent(ruleId)}` : `/v1/plans/${encodeURIComponent(planId)}`);
    if (status === 404 || status === 400) return undefined;
    if (status !== 200) throw new Error(`the control plane answers ${status} about ${ruleId}`);
    const quota = planId === undefined ? body : objectOf(body['default_limit']);
    return typeof quota['limit'] === 'number' ? quota['limit'] : undefined;
  }

  /** @throws Error where the control plane cannot be asked */
  async live(keyId: string, ruleId: string): Promise<readonly LiveOverride[]> {
    const { status, body } = await this.ask('GET', `/v1/overrides?${new URLSearchParams({ key_id: keyId, rule_id: ruleId, live: 'true', limit: '100' }).toString()}`);
    if (status !== 200) throw new Error(`the control plane answers ${status} about overrides`);
    const listed = Array.isArray(body['overrides']) ? body['overrides'].map(objectOf) : [];
    return listed.map((one) => ({ overrideId: String(one['override_id']), limit: Number(one['limit']), expiresAtMs: Date.parse(String(one['expires_at'])), reason: typeof one['reason'] === 'string' ? one['reason'] : '' }));
  }

  /** Makes it once under its idempotency key. @param authorization of the person in whose name it is made; absent: the service's own */
  async make(override: NewOverride, idempotencyKey: string, authorization?: string): Promise<Made> {
    const { keyId: key_id, ruleId: rule_id, limit, expiresAtMs, reason } = override;
    try {
      const { status, body } = await this.ask('POST', '/v1/overrides', { key_id, rule_id, limit, expires_at: new Date(expiresAtMs).toISOString(), reason }, { 'idempotency-key': `"${idempotencyKey}"`, ...(authorization !== undefined && { authorization }) });
      if (status === 201) return { status: 'made', overrideId: String(body['override_id']) };
      const why = `the control plane answers ${status}: ${String(body['detail'] ?? body['title'] ?? '')}${faultsOf(body)}`;
      if (status === 422 && body['type'] === 'urn:sluice:problem:idempotency-key-reused') return { status: 'key_used', why };
      // Still under way under this key, or away; everything else will not change by itself.
      return { status: status >= 500 || status === 429 || body['type'] === 'urn:sluice:problem:request-in-progress' ? 'later' : 'refused', why };
    } catch (error) {
      return { status: 'later', why: error instanceof Error ? error.message : String(error) };
    }
  }

  private async ask(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { adminUrl, token, timeoutMs = 3_000 } = this.options;
    const response = await fetch(`${adminUrl.replace(/\/+$/, '')}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    }).catch((error: unknown) => {
      throw new Error(`the control plane cannot be reached: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    });
    return { status: response.status, body: objectOf(await response.json().catch(() => undefined)) };
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function faultsOf(body: Readonly<Record<string, unknown>>): string {
  const faults = Array.isArray(body['errors']) ? body['errors'].map(objectOf) : [];
  return faults.map((fault) => ` ${String(fault['pointer'])} ${String(fault['detail'])};`).join('');
}
