import { DECISION_KINDS, type DecisionEvent, type DecisionKind, type DecisionLimit, STANDARD_ATTRIBUTES, type StandardAttribute } from '@sluice/events';

/** An event as one row: its own fields, its standard attributes, its deciding limit, and the rest as JSON text. Null where there is none. */
export interface FlatEvent extends Readonly<Record<StandardAttribute, string | null>> {
  readonly schema_version: number;
  readonly event_id: string;
  readonly kind: string;
  readonly at_ms: number;
  readonly region: string;
  readonly node_id: string;
  readonly app: string;
  readonly snapshot_version: number;
  readonly sampled_share: number;
  readonly allowed: boolean;
  readonly reason: string;
  readonly source: string;
  readonly cost: number;
  readonly retry_after_ms: number | null;
  /** Attributes that have no column, as a JSON object. */
  readonly more_attributes: string | null;
  /** From here on the deciding limit; all null where no rule applied. */
  readonly policy: string | null;
  readonly rule_id: string | null;
  readonly rule_version: number | null;
  readonly override_id: string | null;
  readonly limit_allowed: boolean | null;
  readonly limit_permits: number | null;
  readonly window_ms: number | null;
  readonly remaining: number | null;
  readonly reset_ms: number | null;
  readonly retry_ms: number | null;
  readonly limit_source: string | null;
  readonly limit_reason: string | null;
  /** The limits after the deciding one, as a JSON array of objects. */
  readonly more_limits: string | null;
}

const NO_LIMIT = {
  policy: null,
  rule_id: null,
  rule_version: null,
  override_id: null,
  limit_allowed: null,
  limit_permits: null,
  window_ms: null,
  remaining: null,
  reset_ms: null,
  retry_ms: null,
  limit_source: null,
  limit_reason: null,
  more_limits: null,
} as const;

const STANDARD: ReadonlySet<string> = new Set(STANDARD_ATTRIBUTES);

/** The row of an event; fields that nobody here knows are left out. */
export function flattenEvent(event: DecisionEvent): FlatEvent {
  const { attributes } = event;
  return {
    schema_version: event.schema_version,
    event_id: event.event_id,
    kind: event.kind,
    at_ms: event.at_ms,
    region: event.region,
    node_id: event.node_id,
    app: event.app,
    snapshot_version: event.snapshot_version,
    sampled_share: event.sampled_share,
    allowed: event.allowed,
    reason: event.reason,
    source: event.source,
    cost: event.cost,
    retry_after_ms: event.retry_after_ms,
    domain: attributes['domain'] ?? null,
    plan: attributes['plan'] ?? null,
    endpoint: attributes['endpoint'] ?? null,
    key_id: attributes['key_id'] ?? null,
    tenant_id: attributes['tenant_id'] ?? null,
    user_id: attributes['user_id'] ?? null,
    ip: attributes['ip'] ?? null,
    more_attributes: moreAttributes(attributes),
    ...flatLimits(event.limits),
  };
}

/** The event of a row. */
export function restoreEvent(row: FlatEvent): DecisionEvent {
  return {
    schema_version: row.schema_version,
    event_id: row.event_id,
    kind: kindOf(row.kind),
    at_ms: row.at_ms,
    region: row.region,
    node_id: row.node_id,
    app: row.app,
    snapshot_version: row.snapshot_version,
    sampled_share: row.sampled_share,
    allowed: row.allowed,
    reason: row.reason,
    source: row.source,
    cost: row.cost,
    retry_after_ms: row.retry_after_ms,
    attributes: attributesOf(row),
    limits: limitsOf(row),
  };
}

/**
 * What the text of `more_limits` contains exactly when one of its limits is of the rule: quotes within a value are escaped there, so that nothing but
 * the field itself can read so.
 */
export function moreLimitsNeedle(ruleId: string): string {
  return `"rule_id":${JSON.stringify(ruleId)}`;
}

function moreAttributes(attributes: Readonly<Record<string, string>>): string | null {
  let others = false;
  for (const name in attributes) {
    if (!STANDARD.has(name)) {
      others = true;
      break;
    }
  }
  return others ? JSON.stringify(Object.fromEntries(Object.entries(attributes).filter(([name]) => !STANDARD.has(name)))) : null;
}

function flatLimits(limits: readonly DecisionLimit[]) {
  const [deciding] = limits;
  if (deciding === undefined) return NO_LIMIT;
  return {
    policy: deciding.policy,
    rule_id: deciding.rule_id,
    rule_version: deciding.rule_version,
    override_id: deciding.override_id,
    limit_allowed: deciding.allowed,
    limit_permits: deciding.limit,
    window_ms: deciding.window_ms,
    remaining: deciding.remaining,
    reset_ms: deciding.reset_ms,
    retry_ms: deciding.retry_ms,
    limit_source: deciding.source,
    limit_reason: deciding.reason,
    more_limits: limits.length > 1 ? JSON.stringify(limits.slice(1)) : null,
  };
}

function kindOf(text: string): DecisionKind {
  const kind = DECISION_KINDS.find((known) => known === text);
  if (kind === undefined) throw new TypeError(`no kind of event: ${text}`);
  return kind;
}

function attributesOf(row: FlatEvent): Record<string, string> {
  // What is parsed keeps a name such as `__proto__` as a plain one; what is assigned would not.
  const attributes = row.more_attributes === null ? {} : (JSON.parse(row.more_attributes) as Record<string, string>);
  for (const name of STANDARD_ATTRIBUTES) {
    const value = row[name];
    if (value !== null) attributes[name] = value;
  }
  return attributes;
}

function limitsOf(row: FlatEvent): DecisionLimit[] {
  if (row.rule_id === null) return [];
  const deciding: DecisionLimit = {
    policy: row.policy ?? '',
    rule_id: row.rule_id,
    rule_version: row.rule_version ?? 0,
    override_id: row.override_id,
    allowed: row.limit_allowed ?? false,
    limit: row.limit_permits ?? 0,
    window_ms: row.window_ms ?? 0,
    remaining: row.remaining ?? 0,
    reset_ms: row.reset_ms ?? 0,
    retry_ms: row.retry_ms ?? 0,
    source: row.limit_source ?? '',
    reason: row.limit_reason ?? '',
  };
  return row.more_limits === null ? [deciding] : [deciding, ...(JSON.parse(row.more_limits) as DecisionLimit[])];
}
