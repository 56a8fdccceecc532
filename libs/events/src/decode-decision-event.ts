import { DECISION_KINDS, DECISION_SCHEMA_VERSION, type DecisionEvent, type DecisionKind, LEAST_SAMPLED_SHARE } from './decision-event.js';
import { attributesFault } from './decision-attributes.js';
import { isCount, isDecisionEventId, isName, MAX_AT_MS } from './decision-event-fields.js';
import { readDecisionLimits } from './decision-limits.js';
import { envelopeFault, NO_OBJECT, parseFields, refused, type Decoded } from './envelope.js';

/** Longer texts are not parsed: the greatest event that keeps to all bounds is shorter, even with every character escaped. */
export const MAX_DECISION_EVENT_CHARS = 524_288;

const COUNT = 'that is an integer of at least 0';
const NAME = 'that is a string of 1 to 256 characters';

/**
 * Reads a message of `sluice.decisions.v1`, or says why it is none that is known here; never throws. What it knows it is strict about: types, ranges and
 * lengths of every field of {@link DecisionEvent}. Unknown fields are left out. The event is a value of its own, all its fields own properties, no -0 in it.
 */
export function decodeDecisionEvent(text: string): Decoded<DecisionEvent> {
  if (text.length > MAX_DECISION_EVENT_CHARS) return refused(`is longer than ${String(MAX_DECISION_EVENT_CHARS)} characters`);
  const fields = parseFields(text);
  if (fields === undefined) return refused(NO_OBJECT);
  const { schema_version, event_id, kind, at_ms, region, node_id, app, snapshot_version, sampled_share } = fields;
  const { allowed, reason, source, cost, retry_after_ms, attributes } = fields;
  const fault = envelopeFault(schema_version, event_id, DECISION_SCHEMA_VERSION);
  if (fault !== undefined) return refused(fault);
  if (!isDecisionEventId(event_id as string)) return refused('has no event_id that is <producer>:<sequence>');
  if (!isKind(kind)) return refused(`has no kind that is one of ${DECISION_KINDS.join(', ')}`);
  if (!isCount(at_ms) || at_ms > MAX_AT_MS) return lacks('at_ms', `that is an integer from 0 to ${String(MAX_AT_MS)}`);
  if (!isName(region)) return lacks('region', NAME);
  if (!isName(node_id)) return lacks('node_id', NAME);
  if (!isName(app)) return lacks('app', NAME);
  if (!isCount(snapshot_version)) return lacks('snapshot_version', COUNT);
  if (typeof sampled_share !== 'number' || !(sampled_share >= LEAST_SAMPLED_SHARE && sampled_share <= 1)) return lacks('sampled_share', 'that is a number from 0.000001 to 1');
  if (typeof allowed !== 'boolean') return lacks('allowed', 'that is true or false');
  if (!isName(reason)) return lacks('reason', NAME);
  if (!isName(source)) return lacks('source', NAME);
  if (!isCount(cost)) return lacks('cost', COUNT);
  if (cost / sampled_share > Number.MAX_SAFE_INTEGER) return refused('has a cost that is more than 2^53-1 by its sampled_share');
  if (retry_after_ms !== null && !isCount(retry_after_ms)) return lacks('retry_after_ms', 'that is null or an integer of at least 0');
  const wrong = attributesFault(attributes);
  if (wrong !== undefined) return refused(wrong);
  const limits = readDecisionLimits(fields['limits']);
  if (typeof limits === 'string') return refused(limits);
  return {
    ok: true,
    event: {
      schema_version: schema_version as number,
      event_id: event_id as string,
      kind,
      // JSON may hold -0, which is no integer of any column.
      at_ms: at_ms + 0,
      region,
      node_id,
      app,
      snapshot_version: snapshot_version + 0,
      sampled_share,
      allowed,
      reason,
      source,
      cost: cost + 0,
      retry_after_ms: retry_after_ms === null ? null : retry_after_ms + 0,
      attributes: attributes as DecisionEvent['attributes'],
      limits,
    },
  };
}

function isKind(value: unknown): value is DecisionKind {
  return value === 'decision' || value === 'shadow' || value === 'unauthenticated';
}

function lacks(field: string, what: string): { readonly ok: false; readonly reason: string } {
  return refused(`has no ${field} ${what}`);
}
