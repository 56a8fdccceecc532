import { DECISION_KINDS, type DecisionEvent, type DecisionLimit } from '@sluice/events';
import fc from 'fast-check';
import { eventOf } from './sample-events.js';
import { SLOT_MS, type Slot } from './slots.js';

/** What every store has to give back as it came. */
export const HOSTILE = [
  `'; DROP TABLE events; --`,
  `"rule_id":"search"`,
  `\\"rule_id\\":\\"search\\"`,
  'nul\0inside',
  '\0',
  '😀 emoji 👩‍👩‍👧',
  'é vs e\u0301',
  '{name:String} $1 ?',
  '%_\\%',
  'tab\tline\nreturn\r',
  `${'x'.repeat(255)}é`,
  '\u{10FFFF}\uFFFF',
  'NULL',
  '\\N',
  '`"\'',
  '\uFEFF',
  '\uFEFFk1',
  '\uFEFFsearch, and longer than what is kept beside its length',
] as const;

const name = fc.constantFrom('search', 'login', 'r-3', ...HOSTILE);
const count = fc.oneof(fc.nat({ max: 100 }), fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER));
/** Powers of two: their sums are exact in whatever order they are added. */
const share = fc.constantFrom(1, 1, 0.5, 0.25, 0.125);

const limit: fc.Arbitrary<DecisionLimit> = fc.record({
  policy: name,
  rule_id: name,
  rule_version: count,
  override_id: fc.option(name),
  allowed: fc.boolean(),
  limit: count,
  window_ms: count,
  remaining: count,
  reset_ms: count,
  retry_ms: fc.oneof(fc.constant(-1), count),
  source: fc.constantFrom('local', 'store', 'fallback'),
  reason: fc.constantFrom('ok', 'quota', 'cost_exceeds_limit', 'store_unavailable'),
});

const few = fc.option(fc.constantFrom('a', 'b', ''), { nil: undefined });
const attributes: fc.Arbitrary<Record<string, string>> = fc
  .record({ domain: few, plan: few, endpoint: fc.option(name, { nil: undefined }), key_id: fc.option(fc.oneof(fc.constantFrom('k1', 'k2', 'k3'), name), { nil: undefined }), tenant_id: few, user_id: few, ip: few, 'x:model': few, constructor: few })
  .map((fields) => Object.fromEntries(Object.entries(fields).flatMap(([field, value]): [string, string][] => (value === undefined ? [] : [[field, value]]))));

/** An event but for its id and its time. */
export const eventBody: fc.Arbitrary<Omit<DecisionEvent, 'schema_version' | 'event_id' | 'at_ms'>> = fc.record({
  kind: fc.constantFrom(...DECISION_KINDS, ...DECISION_KINDS.slice(0, 1)),
  region: fc.constantFrom('eu', 'us', HOSTILE[0]),
  node_id: fc.constantFrom('n1', 'n2', HOSTILE[5]),
  app: fc.constantFrom('gateway', 'decision'),
  snapshot_version: count,
  sampled_share: share,
  allowed: fc.boolean(),
  reason: fc.oneof(fc.constantFrom('ok', 'quota'), name),
  source: fc.constantFrom('local', 'store', 'fallback', 'none'),
  cost: fc.oneof(fc.nat({ max: 20 }), fc.constant(0)),
  retry_after_ms: fc.option(count),
  attributes,
  limits: fc.array(limit, { maxLength: 3 }),
});

/** When, within a slot: often the same ms, often an edge of an hour. */
export const offsetMs = fc.oneof(fc.nat({ max: 3 }), fc.constantFrom(3_599_999, 3_600_000, 3_600_001, SLOT_MS - 1), fc.nat({ max: SLOT_MS - 1 }));

/** Events of some producers, in the order in which they come. */
export function eventsIn(slot: Slot, { minLength = 0, maxLength }: { readonly minLength?: number; readonly maxLength: number }): fc.Arbitrary<DecisionEvent[]> {
  return fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c_-'), fc.integer({ min: 1, max: 9 }), offsetMs, eventBody), { minLength, maxLength })
    .map((all) => {
      const sequences = new Map<string, number>();
      return all.map(([producer, step, offset, body]) => {
        const sequence = (sequences.get(producer) ?? 0) + step;
        sequences.set(producer, sequence);
        return eventOf({ ...body, event_id: `${slot.name}${producer}:${String(sequence)}`, at_ms: slot.fromMs + offset });
      });
    });
}
