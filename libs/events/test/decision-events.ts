/// <reference lib="es2024.string" />
import fc from 'fast-check';
import { DECISION_KINDS, type DecisionEvent, type DecisionLimit } from '../src/decision-event.js';

const names = fc.oneof(fc.constantFrom('local', 'pro-items', 'quota'), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }));
const counts = fc.oneof(fc.nat(1000), fc.maxSafeNat());
const attributeNames = fc.stringMatching(/^[a-zA-Z0-9_.:/-]{1,64}$/).filter((name) => name !== '__proto__');
const values = fc.string({ unit: 'grapheme', maxLength: 40 });

const limits: fc.Arbitrary<DecisionLimit> = fc.record({
  policy: names,
  rule_id: names,
  rule_version: counts,
  override_id: fc.option(names),
  allowed: fc.boolean(),
  limit: counts,
  window_ms: counts,
  remaining: counts,
  reset_ms: counts,
  retry_ms: fc.oneof(counts, fc.constant(-1)),
  source: names,
  reason: names,
}, { noNullPrototype: true });

/** Any event that keeps to the bounds. */
export const decisionEvents: fc.Arbitrary<DecisionEvent> = fc.record({
  schema_version: fc.constant(1),
  event_id: fc.tuple(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), counts).map(([producer, sequence]) => `${producer}:${String(sequence)}`),
  kind: fc.constantFrom(...DECISION_KINDS),
  at_ms: fc.integer({ min: 0, max: 253_402_300_799_999 }),
  region: names,
  node_id: names,
  app: names,
  snapshot_version: counts,
  sampled_share: fc.double({ min: 1e-6, max: 1, noNaN: true }),
  allowed: fc.boolean(),
  reason: names,
  source: names,
  cost: counts,
  retry_after_ms: fc.option(counts),
  attributes: fc.dictionary(attributeNames, values, { maxKeys: 10, noNullPrototype: true }),
  limits: fc.array(limits, { maxLength: 5 }),
}, { noNullPrototype: true }).map((event) => ({ ...event, cost: Math.min(event.cost, Math.floor(event.sampled_share * (2 ** 53 - 8))) }));

/** The shape by other means than the decoder's: every field and no other, and JSON that reads the same. */
export function isDecisionEvent(event: DecisionEvent): boolean {
  const shape = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
  const shapes = (value: object): string => Object.values(value).map(shape).join();
  return (
    Object.keys(event).join() ===
      'schema_version,event_id,kind,at_ms,region,node_id,app,snapshot_version,sampled_share,allowed,reason,source,cost,retry_after_ms,attributes,limits' &&
    /^number,string,string,number,string,string,string,number,number,boolean,string,string,number,(null|number),object,array$/.test(shapes(event)) &&
    Object.values(event.attributes).every((value) => typeof value === 'string' && value.length <= 256 && value.isWellFormed()) &&
    event.limits.every(
      (limit) =>
        Object.keys(limit).join() === 'policy,rule_id,rule_version,override_id,allowed,limit,window_ms,remaining,reset_ms,retry_ms,source,reason' &&
        /^string,string,number,(null|string),boolean,number,number,number,number,number,string,string$/.test(shapes(limit)),
    ) &&
    [event, ...event.limits].every((one) => Object.values(one).every((value) => typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0) && value >= -1))) &&
    JSON.stringify(JSON.parse(JSON.stringify(event))) === JSON.stringify(event)
  );
}
