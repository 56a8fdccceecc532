import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { decodeDecisionEvent, MAX_DECISION_EVENT_CHARS } from './decode-decision-event.js';
import { MAX_SAMPLED_COST } from './decision-event.js';
import { encodeDecisionEvent } from './encode-decision-event.js';
import { decisionEvents, isDecisionEvent } from '../test/decision-events.js';

const doc = readFileSync(join(import.meta.dirname, '../../../docs/decision-events.md'), 'utf8');
const example = /```json\n([\s\S]*?)```/.exec(doc)?.[1] ?? '';

/** The example with other fields. */
function changed(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(example) as object), ...fields });
}

function withLimit(fields: Readonly<Record<string, unknown>>): string {
  const { limits } = JSON.parse(example) as { limits: readonly object[] };
  return changed({ limits: [limits[0], { ...limits[0], ...fields }] });
}

const NAME = 'a string of 1 to 256 characters';
const HALF = '\ud800';

describe('R80 the decision event', () => {
  it('is as the documentation shows it', () => {
    expect(decodeDecisionEvent(example)).toEqual({ ok: true, event: JSON.parse(example) });
  });

  it('has all its fields in the documentation', () => {
    const fields = Object.keys(JSON.parse(example) as object);
    expect(fields).toHaveLength(16);
    for (const field of fields) expect(doc).toMatch(new RegExp(`^\\| [^|]*\`${field}\``, 'm'));
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(decisionEvents, (event) => {
        expect(decodeDecisionEvent(encodeDecisionEvent(event))).toEqual({ ok: true, event });
      }),
      { seed: 80, numRuns: 1_000 },
    );
  });

  it.each([
    ['', 'is not a JSON object'],
    ['NaN', 'is not a JSON object'],
    [example.replace('812', 'NaN'), 'is not a JSON object'],
    [example.slice(0, -4), 'is not a JSON object'],
    ['[1]', 'is not a JSON object'],
    ['{"__proto__":{"schema_version":1}}', 'has no schema_version that is an integer of at least 1'],
    [changed({ schema_version: 2 }), 'has schema_version 2, and only 1 and the one before are read'],
    [changed({ event_id: 7 }), 'has no event_id that is a string'],
    ...['a', 'a:', ':1', 'a:-1', 'a:01', 'a:1.5', 'a b:1', 'a:1e3', 'ä:1', 'a:1:2', 'a:1\n', 'a:9007199254740992', `${'a'.repeat(65)}:1`].map((event_id) => [changed({ event_id }), 'has no event_id that is <producer>:<sequence>']),
    [changed({ kind: 'refund' }), 'has no kind that is one of decision, shadow, unauthenticated'],
    ...[-1, 1.5, '1796047320250', null, 253_402_300_800_000, 2 ** 53].map((at_ms) => [changed({ at_ms }), 'has no at_ms that is an integer from 0 to 253402300799999']),
    ...['region', 'node_id', 'app', 'reason', 'source'].flatMap((field) => [undefined, null, '', 1, 'x'.repeat(257), `${HALF}x`].map((value) => [changed({ [field]: value }), `has no ${field} that is ${NAME}`])),
    ...['snapshot_version', 'cost'].flatMap((field) => [undefined, null, -1, 0.5, '1', 2 ** 53].map((value) => [changed({ [field]: value }), `has no ${field} that is an integer of at least 0`])),
    [changed({}).replace('"cost":1', '"cost":1e400'), 'has no cost that is an integer of at least 0'],
    ...[0, -0.5, 5e-324, 9.99e-7, 1.001, '1', null].map((sampled_share) => [changed({ sampled_share }), 'has no sampled_share that is a number from 0.000001 to 1']),
    ...[[1e-6, 9_007_199_255], [0.5, 2 ** 52]].map(([sampled_share, cost]) => [changed({ sampled_share, cost }), 'has a cost that is more than 2^53-1 by its sampled_share']),
    ...[0, 'false', null, undefined].map((allowed) => [changed({ allowed }), 'has no allowed that is true or false']),
    ...[-1, 0.5, false, undefined].map((retry_after_ms) => [changed({ retry_after_ms }), 'has no retry_after_ms that is null or an integer of at least 0']),
    ...[null, [], 'x', undefined].map((attributes) => [changed({ attributes }), 'has no attributes that are a JSON object']),
    ...[null, 1, 'x'.repeat(257), HALF, ['x']].map((value) => [changed({ attributes: { plan: value } }), 'has no attributes.plan that is a string of at most 256 characters']),
    ...['', 'a b', 'x'.repeat(65), 'ä'].map((name) => [changed({ attributes: { [name]: 'v' } }), 'has an attribute whose name is not 1 to 64 of letters, digits, _ . : / or -, or is __proto__']),
    [example.replace('"plan"', '"__proto__"'), 'has an attribute whose name is not 1 to 64 of letters, digits, _ . : / or -, or is __proto__'],
    [changed({ attributes: Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`a${at}`, ''])) }), 'has more than 64 attributes'],
    ...[null, {}, 'x', undefined].map((limits) => [changed({ limits }), 'has no limits that are a JSON array']),
    [changed({ limits: Array.from({ length: 33 }, () => null) }), 'has more than 32 limits'],
    [changed({ limits: [null] }), 'has no limits[0] that is a JSON object'],
    [changed({ limits: [[]] }), 'has no limits[0] that is a JSON object'],
    ...['policy', 'rule_id', 'source', 'reason'].flatMap((field) => ['', 1, HALF].map((value) => [withLimit({ [field]: value }), `has no limits[1].${field} that is ${NAME}`])),
    ...['rule_version', 'limit', 'window_ms', 'remaining', 'reset_ms'].flatMap((field) => [-1, 1.5, '1', null].map((value) => [withLimit({ [field]: value }), `has no limits[1].${field} that is an integer of at least 0`])),
    ...[-2, 0.5, null].map((retry_ms) => [withLimit({ retry_ms }), 'has no limits[1].retry_ms that is an integer of at least -1']),
    ...['', 1, undefined].map((override_id) => [withLimit({ override_id }), `has no limits[1].override_id that is null or ${NAME}`]),
    [withLimit({ allowed: 1 }), 'has no limits[1].allowed that is true or false'],
    [changed({ attributes: { plan: 'x'.repeat(MAX_DECISION_EVENT_CHARS) } }), 'is longer than 524288 characters'],
  ])('%# is refused with its reason', (text, reason) => {
    expect(decodeDecisionEvent(text)).toEqual({ ok: false, reason });
  });

  it('takes the bounds themselves', () => {
    const limits = Array.from({ length: 32 }, () => (JSON.parse(example) as { limits: readonly object[] }).limits[0]);
    const attributes = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`a${at}`, '\u0001'.repeat(256)]));
    for (const fields of [{ limits, attributes }, { at_ms: 0 }, { at_ms: 253_402_300_799_999 }, { cost: 2 ** 53 - 1 }, { sampled_share: 1e-6, cost: MAX_SAMPLED_COST }, { event_id: 'a:0' }, { event_id: 'a:9007199254740991' }, { attributes: {} }, { limits: [] }]) {
      expect(decodeDecisionEvent(changed(fields))).toEqual({ ok: true, event: { ...(JSON.parse(example) as object), ...fields } });
    }
    expect(decodeDecisionEvent(withLimit({ retry_ms: -1 }))).toMatchObject({ ok: true });
  });

  it('leaves out what it does not know, and -0', () => {
    const { limits, ...rest } = JSON.parse(example) as { limits: readonly object[] };
    const text = JSON.stringify({ later: [1], limits: [{ ...limits[0], later: 1 }], ...rest, constructor: 1 });
    expect(decodeDecisionEvent(text)).toEqual({ ok: true, event: JSON.parse(example) });
    expect(decodeDecisionEvent(`{"__proto__":{"x":1},${text.slice(1)}`)).toEqual({ ok: true, event: JSON.parse(example) });
    expect(decodeDecisionEvent(changed({}).replace('"cost":1', '"cost":-0').replace('"remaining":0', '"remaining":-0'))).toEqual({ ok: true, event: JSON.parse(changed({ cost: 0 })) });
  });

  it('whatever else the text is, nothing is thrown and no other shape comes out', () => {
    const pieces = fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', '\\ud800', '-', '-0', '1e999', '0.5', 'NaN', 'null', 'true', '[]', '{}', '"__proto__":', '"x"', '\u0000', HALF, '99999999999999999999');
    let read = 0;
    fc.assert(
      fc.property(decisionEvents, fc.array(fc.tuple(fc.nat(), fc.nat(12), pieces), { maxLength: 2 }), (event, cuts) => {
        let text = encodeDecisionEvent(event);
        for (const [at, length, piece] of cuts) text = text.slice(0, at % text.length) + piece + text.slice((at % text.length) + length);
        const decoded = decodeDecisionEvent(text);
        if (decoded.ok) {
          read += 1;
          expect(isDecisionEvent(decoded.event)).toBe(true);
        } else expect(decoded.reason).toMatch(/^(is|has) /);
      }),
      { seed: 81, numRuns: 3_000 },
    );
    expect(read).toBeGreaterThan(300);
  });

  it('whatever a value is replaced by, no other shape comes out', () => {
    const values = fc.oneof(fc.constantFrom(undefined, null, true, -0, -1, 0.5, 2 ** 53, 1e300, '', HALF, [], {}, [[]], 'x'.repeat(300)), fc.jsonValue());
    fc.assert(
      fc.property(decisionEvents, fc.nat(), values, fc.boolean(), (event, at, value, within) => {
        const copy = JSON.parse(encodeDecisionEvent(event)) as Record<string, unknown> & { limits: Record<string, unknown>[] };
        const target = (within && copy.limits[0]) || copy;
        target[Object.keys(target)[at % Object.keys(target).length] ?? ''] = value;
        const decoded = decodeDecisionEvent(JSON.stringify(copy));
        if (decoded.ok) expect(isDecisionEvent(decoded.event)).toBe(true);
      }),
      { seed: 82, numRuns: 3_000 },
    );
  });
});
