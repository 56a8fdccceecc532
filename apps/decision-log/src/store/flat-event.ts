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

const STANDARD: ReadonlySet<string> = new Set(STANDARD_ATTRIBUTES);

/** What of an event stands in each field of its row; fields that nobody here knows are left out. */
export const FLAT_FIELDS: { readonly [Name in keyof FlatEvent]: (event: DecisionEvent) => FlatEvent[Name] } = {
  schema_version: (event) => event.schema_version,
  event_id: (event) => event.event_id,
  kind: (event) => event.kind,
  at_ms: (event) => event.at_ms,
  region: (event) => event.region,
  node_id: (event) => event.node_id,
  app: (event) => event.app,
  snapshot_version: (event) => event.snapshot_version,
  sampled_share: (event) => event.sampled_share,
  allowed: (event) => event.allowed,
  reason: (event) => event.reason,
  source: (event) => event.source,
  cost: (event) => event.cost,
  retry_after_ms: (event) => event.retry_after_ms,
  domain: ({ attributes }) => attributes['domain'] ?? null,
  plan: ({ attributes }) => attributes['plan'] ?? null,
  endpoint: ({ attributes }) => attributes['endpoint'] ?? null,
  key_id: ({ attributes }) => attributes['key_id'] ?? null,
  tenant_id: ({ attributes }) => attributes['tenant_id'] ?? null,
  user_id: ({ attributes }) => attributes['user_id'] ?? null,
  ip: ({ attributes }) => attributes['ip'] ?? null,
  more_attributes: ({ attributes }) => moreAttributes(attributes),
  policy: ({ limits }) => limits[0]?.policy ?? null,
  rule_id: ({ limits }) => limits[0]?.rule_id ?? null,
  rule_version: ({ limits }) => limits[0]?.rule_version ?? null,
  override_id: ({ limits }) => limits[0]?.override_id ?? null,
  limit_allowed: ({ limits }) => limits[0]?.allowed ?? null,
  limit_permits: ({ limits }) => limits[0]?.limit ?? null,
  window_ms: ({ limits }) => limits[0]?.window_ms ?? null,
  remaining: ({ limits }) => limits[0]?.remaining ?? null,
  reset_ms: ({ limits }) => limits[0]?.reset_ms ?? null,
  retry_ms: ({ limits }) => limits[0]?.retry_ms ?? null,
  limit_source: ({ limits }) => limits[0]?.source ?? null,
  limit_reason: ({ limits }) => limits[0]?.reason ?? null,
  more_limits: ({ limits }) => (limits.length > 1 ? JSON.stringify(limits.slice(1)) : null),
};

const FIELDS = Object.entries(FLAT_FIELDS) as readonly [keyof FlatEvent, (event: DecisionEvent) => string | number | boolean | null][];

/** The row of an event. */
export function flattenEvent(event: DecisionEvent): FlatEvent {
  const row: Partial<Record<keyof FlatEvent, string | number | boolean | null>> = {};
  for (const [name, read] of FIELDS) row[name] = read(event);
  return row as FlatEvent;
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
