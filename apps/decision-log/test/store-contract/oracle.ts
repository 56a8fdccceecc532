import type { DecisionEvent, StandardAttribute } from '@sluice/events';
import type { Aggregate, AggregateRow, Dimension } from '../../src/store/aggregate.js';
import type { DecisionFilter } from '../../src/store/decision-filter.js';
import type { DecisionPlace } from '../../src/store/decision-store.js';

/** What a store has to answer, in plain code over a list of events: it shares nothing with the stores. */
export function expectedMatch(event: DecisionEvent, filter: DecisionFilter): boolean {
  const { fromMs, toMs, kinds = ['decision'], allowed, ruleId, region, reason, eventId, attributes = {} } = filter;
  return (
    event.at_ms >= fromMs &&
    event.at_ms < toMs &&
    kinds.includes(event.kind) &&
    (allowed === undefined || event.allowed === allowed) &&
    (ruleId === undefined || event.limits.some((limit) => limit.rule_id === ruleId)) &&
    (region === undefined || event.region === region) &&
    (reason === undefined || event.reason === reason) &&
    (eventId === undefined || event.event_id === eventId) &&
    Object.entries(attributes).every(([name, value]) => event.attributes[name] === value)
  );
}

export function expectedFind(events: readonly DecisionEvent[], filter: DecisionFilter, limit: number, after?: DecisionPlace): DecisionEvent[] {
  const newestFirst = (a: DecisionEvent, b: DecisionEvent): number => b.at_ms - a.at_ms || byText(b.event_id, a.event_id);
  return events
    .filter((event) => expectedMatch(event, filter))
    .filter((event) => after === undefined || event.at_ms < after.atMs || (event.at_ms === after.atMs && byText(event.event_id, after.eventId) < 0))
    .sort(newestFirst)
    .slice(0, limit);
}

export function expectedScan(events: readonly DecisionEvent[], filter: DecisionFilter): DecisionEvent[] {
  return expectedFind(events, filter, Infinity).reverse();
}

export function expectedAggregate(events: readonly DecisionEvent[], query: Aggregate): AggregateRow[] {
  const { filter, groupBy, bucketMs, distinctKeys = false, atLeast, orderBy, limit } = query;
  const groups = new Map<string, { readonly bucketMs: number | undefined; readonly group: (string | null)[]; readonly events: DecisionEvent[] }>();
  for (const event of events.filter((one) => expectedMatch(one, filter))) {
    const bucket = bucketMs === undefined ? undefined : Math.floor(event.at_ms / bucketMs) * bucketMs;
    const group = groupBy.map((dimension) => valueOf(event, dimension));
    const key = JSON.stringify([bucket ?? null, group]);
    const one = groups.get(key) ?? { bucketMs: bucket, group, events: [] };
    one.events.push(event);
    groups.set(key, one);
  }
  const measure = { requests: (row: Row) => row.requests, refused: (row: Row) => row.refused, distinct_keys: (row: Row) => row.keys } as const;
  return [...groups.values()]
    .map(rowOf)
    .filter((row) => atLeast === undefined || measure[atLeast.measure](row) >= atLeast.value)
    .sort((a, b) => (orderBy === undefined ? 0 : measure[orderBy](b) - measure[orderBy](a)) || (a.bucketMs ?? 0) - (b.bucketMs ?? 0) || byGroup(a.group, b.group))
    .slice(0, limit)
    .map(({ keys, ...row }) => ({ ...row, distinctKeys: distinctKeys ? keys : undefined }));
}

type Row = Omit<AggregateRow, 'distinctKeys'> & { readonly keys: number };

function rowOf({ bucketMs, group, events }: { readonly bucketMs: number | undefined; readonly group: (string | null)[]; readonly events: readonly DecisionEvent[] }): Row {
  const sum = (of: (event: DecisionEvent, weight: number) => number): number => events.reduce((total, event) => total + of(event, 1 / event.sampled_share), 0);
  return {
    bucketMs,
    group,
    events: events.length,
    requests: sum((_, weight) => weight),
    allowed: sum(({ allowed }, weight) => (allowed ? weight : 0)),
    refused: sum(({ allowed }, weight) => (allowed ? 0 : weight)),
    allowedCost: sum(({ allowed, cost }, weight) => (allowed ? cost * weight : 0)),
    cost: sum(({ cost }, weight) => cost * weight),
    variance: sum(({ sampled_share: share }) => (1 - share) / share ** 2),
    keys: new Set(events.flatMap(({ attributes }) => attributes['key_id'] ?? [])).size,
    firstMs: Math.min(...events.map(({ at_ms }) => at_ms)),
    lastMs: Math.max(...events.map(({ at_ms }) => at_ms)),
  };
}

function valueOf(event: DecisionEvent, dimension: Dimension): string | null {
  const [deciding] = event.limits;
  if (dimension === 'rule_id') return deciding?.rule_id ?? null;
  if (dimension === 'rule_version') return deciding === undefined ? null : String(deciding.rule_version);
  if (dimension === 'region' || dimension === 'node_id' || dimension === 'kind' || dimension === 'reason' || dimension === 'source') return event[dimension];
  const attribute: StandardAttribute = dimension;
  return event.attributes[attribute] ?? null;
}

/** In the order of their UTF-8 bytes, which is not that of JavaScript's strings. */
function byText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Null comes last. */
function byGroup(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === right) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    const order = byText(left, right);
    if (order !== 0) return order;
  }
  return 0;
}
