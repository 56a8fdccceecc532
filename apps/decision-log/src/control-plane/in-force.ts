/** A limit that would apply to a request now. */
export interface LimitNow {
  readonly policy: string;
  readonly ruleId: string;
  readonly ruleVersion: number;
  readonly overrideId: string | undefined;
  readonly limit: number;
  readonly windowMs: number;
  /** What it counts apart; undefined where that was not said. */
  readonly countBy?: readonly string[] | undefined;
}

/** What the control plane says of a request as it would be now. */
export interface InForce {
  readonly limits: readonly LimitNow[];
  /** The plan of the key now; undefined where it knows no such key. */
  readonly plan: string | undefined;
  /** Whose the key is now, likewise. */
  readonly tenantId?: string | undefined;
  readonly keyDisabled: boolean;
  /** There was such a key and it is no more; absent of one that there never was, which may be known elsewhere. */
  readonly keyGone?: true;
}

/** Reads the answer of `POST /v1/explain`; undefined for what is none. Limits in shadow refuse nobody and are left out. */
export function readInForce(answer: unknown): InForce | undefined {
  if (!isObject(answer) || !Array.isArray(answer['limits'])) return undefined;
  const { tenant_id: tenantId, plan, disabled }: Readonly<Record<string, unknown>> = isObject(answer['key']) ? answer['key'] : {};
  return {
    limits: answer['limits'].flatMap((limit: unknown) => readLimit(limit) ?? []),
    plan: typeof plan === 'string' ? plan : undefined,
    tenantId: typeof tenantId === 'string' ? tenantId : undefined,
    keyDisabled: disabled === true,
  };
}

function readLimit(json: unknown): LimitNow | undefined {
  if (!isObject(json) || json['mode'] !== 'enforce') return undefined;
  const { policy, rule_id: ruleId, rule_version: ruleVersion, override_id: overrideId, limit, window_seconds: windowSeconds, count_by: countBy } = json;
  if (typeof policy !== 'string' || typeof ruleId !== 'string' || typeof ruleVersion !== 'number' || typeof limit !== 'number' || typeof windowSeconds !== 'number') return undefined;
  return {
    policy,
    ruleId,
    ruleVersion,
    overrideId: typeof overrideId === 'string' ? overrideId : undefined,
    limit,
    windowMs: Math.round(windowSeconds * 1_000),
    countBy: Array.isArray(countBy) && countBy.every((name) => typeof name === 'string') ? countBy : undefined,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
