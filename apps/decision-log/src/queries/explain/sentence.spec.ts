import type { DecisionEvent, DecisionLimit } from '@sluice/events';
import type { LimitNow } from '../../control-plane/in-force.js';
import { readRuleText } from '../../control-plane/rule-text.js';
import type { Facts, LimitFacts, OverrideStory, RuleSince } from './facts.js';
import { noRefusal, nothingRecorded } from './nothing-words.js';
import { notesOf } from './notes.js';
import { UNKNOWN_SINCE } from './rule-since.js';
import { sentenceOf } from './sentence.js';
import { tenantsFacts } from './tenants-facts.js';

const AT_MS = Date.parse('2026-01-31T14:02:07.412Z');
const NOW_MS = Date.parse('2026-02-02T09:00:00Z');
const WHEN = 'On 31 January 2026 at 14:02:07 UTC, a request to GET /v1/items/{id} with your API key key_3f2a';
const LIMIT: DecisionLimit = {
  policy: 'default',
  rule_id: 'free-default',
  rule_version: 3,
  override_id: null,
  allowed: false,
  limit: 60,
  window_ms: 60_000,
  remaining: 0,
  reset_ms: 41_200,
  retry_ms: 11_800,
  source: 'store',
  reason: 'quota',
};
const EVENT: DecisionEvent = {
  schema_version: 1,
  event_id: 'p1:7',
  kind: 'decision',
  at_ms: AT_MS,
  region: 'eu',
  node_id: 'gateway-7f9c',
  app: 'gateway',
  snapshot_version: 17,
  sampled_share: 1,
  allowed: false,
  reason: 'quota',
  source: 'store',
  cost: 1,
  retry_after_ms: 11_800,
  attributes: { key_id: 'key_3f2a', endpoint: 'GET /v1/items/{id}', tenant_id: 'acme', plan: 'free' },
  limits: [LIMIT],
};
const TEXT = { rule_id: 'free-default', version: 3, plan: 'free', limit: 60, window_seconds: 60 };
const CALENDAR = { rule_id: 'free-default', version: 3, algorithm: 'fixed_window', limit: 60, calendar: { unit: 'day', time_zone: 'Europe/Berlin' } };
const SHAPER = { ...TEXT, algorithm: 'leaky_bucket', shape: true, burst: 30 };
const A_DAY = { ...LIMIT, window_ms: 86_400_000 };
const OVERRIDE = { ...LIMIT, override_id: 'ovr_1', limit: 20 };
const then = (limit: number, expiresAt: string): OverrideStory['last'] => ({ limit, burst: undefined, expiresAtMs: Date.parse(expiresAt), reason: 'abuse suspected' });
const EXPIRED: OverrideStory = { overrideId: 'ovr_1', then: then(20, '2026-01-31T15:00:00Z'), last: then(20, '2026-01-31T15:00:00Z'), state: 'expired', endedAtMs: Date.parse('2026-01-31T15:00:00Z') };
const in_force = (limit: number, windowMs = 60_000, overrideId?: string): LimitFacts['inForce'] => ({ limit: { policy: 'default', ruleId: 'free-default', ruleVersion: 4, overrideId, limit, windowMs } });
/** As it is now, with the rule's text. */
const in_force_by = (now: Partial<LimitNow>, json: object): LimitFacts['inForce'] => ({ limit: { policy: 'default', ruleId: 'free-default', ruleVersion: 4, overrideId: undefined, limit: 60, windowMs: 60_000, ...now }, text: readRuleText('free-default', json) });
const UNCHANGED: RuleSince = { state: 'unchanged', changes: [], now: undefined };
const changed = (text: object | null): RuleSince => ({
  state: text === null ? 'deleted' : 'changed',
  changes: [{ version: 30, atMs: Date.parse('2026-02-01T08:00:00Z'), actor: 'token:alice', action: 'updated', toVersion: text === null ? null : 4, after: text as LimitFacts['limit'] & Record<string, unknown> | null }],
  now: text === null ? undefined : readRuleText('free-default', text),
});

function limitFacts(limit: DecisionLimit = LIMIT, more: Partial<LimitFacts> & { readonly json?: object } = {}): LimitFacts {
  const { json, ...rest } = more;
  return { limit, text: json === undefined ? undefined : readRuleText(limit.rule_id, json), since: UNKNOWN_SINCE, override: undefined, inForce: undefined, ...rest };
}

function facts(event: Partial<DecisionEvent> = {}, limits: readonly LimitFacts[] = [limitFacts()]): Facts {
  const around = { fromMs: AT_MS - 30_000, toMs: AT_MS + 30_000, refused: 1, requests: 61, sampled: false, standardError: 0 };
  return { event: { ...EVENT, ...event, limits: limits.map(({ limit }) => limit) }, limits, inForce: undefined, keySince: 'same', around, unavailable: undefined, nowMs: NOW_MS };
}

const WAIT = '; the answer said to wait 12 seconds, until 14:02:19 UTC.';
const FALLBACK = ' At that moment our servers could not put their counts together, so each of them admitted no more than its part of the limit: the request may have been refused although the limit was not used up.';

describe('R82 the sentence for the customer', () => {
  const plan = { plan_id: 'free', name: 'Free', version: 3, default_limit: { limit: 60, window_seconds: 60 } };
  it.each<[string, Facts, string]>([
    ['quota, without the text of the rule', facts(), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT}`],
    ['quota, the rule as it was', facts({}, [limitFacts(LIMIT, { json: TEXT, since: UNCHANGED, inForce: in_force(60) })]), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT}`],
    ['a default limit of a plan', facts({}, [limitFacts({ ...LIMIT, rule_id: 'plan:free' }, { json: plan, since: UNCHANGED })]), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT}`],
    ['by a permit that the node held', facts({ source: 'local' }, [limitFacts({ ...LIMIT, source: 'local' })]), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT}`],
    ['a cost above what is left', facts({ cost: 5 }, [limitFacts({ ...LIMIT, remaining: 3 })]), `${WHEN} was refused because it counts as 5 requests, and of the limit of 60 requests per minute only 3 were left${WAIT}`],
    ['a cost above the one that is left', facts({ cost: 5 }, [limitFacts({ ...LIMIT, remaining: 1 })]), `${WHEN} was refused because it counts as 5 requests, and of the limit of 60 requests per minute only 1 was left${WAIT}`],
    [
      'cost_exceeds_limit',
      facts({ reason: 'cost_exceeds_limit', cost: 301, retry_after_ms: null }, [limitFacts({ ...LIMIT, reason: 'cost_exceeds_limit', retry_ms: -1 })]),
      `${WHEN} was refused because it counts as 301 requests, which is more than the limit of 60 requests per minute ever lets through at once. Waiting does not help; a smaller request can pass.`,
    ],
    [
      'cost_exceeds_limit of a burst',
      facts({ reason: 'cost_exceeds_limit', cost: 40, retry_after_ms: null }, [limitFacts({ ...LIMIT, reason: 'cost_exceeds_limit' }, { json: { ...TEXT, algorithm: 'token_bucket', burst: 10 } })]),
      `${WHEN} was refused because it counts as 40 requests, which is more than the limit of 60 requests per minute (at most 10 at once) ever lets through at once. Waiting does not help; a smaller request can pass.`,
    ],
    [
      'store_unavailable',
      facts({ reason: 'store_unavailable', source: 'fallback', retry_after_ms: 1_000 }, [limitFacts({ ...LIMIT, reason: 'store_unavailable', source: 'fallback', retry_ms: 1_000 })]),
      `${WHEN} was refused because it could not be counted at that moment, and under the limit of 60 requests per minute no request is let through uncounted; the answer said to wait 1 second, until 14:02:08 UTC. This was a disturbance on our side, and not caused by how many requests you sent.`,
    ],
    ['fallback', facts({ source: 'fallback' }, [limitFacts({ ...LIMIT, source: 'fallback' })]), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT}${FALLBACK}`],
    [
      'two limits, the wait of the longer one',
      facts({ retry_after_ms: 3_541_000 }, [limitFacts(), limitFacts({ ...LIMIT, rule_id: 'daily', policy: 'daily', limit: 10_000, window_ms: 86_400_000, retry_ms: 3_541_000 })]),
      `${WHEN} was refused because the limit of 60 requests per minute was used up; the answer said to wait about 60 minutes, until 15:01:08 UTC. The limit of 10,000 requests per day would not have let it through either.`,
    ],
    [
      'several limits, one of which would have let it pass',
      facts({}, [limitFacts(), limitFacts({ ...LIMIT, policy: 'b', limit: 5, window_ms: 1_000 }), limitFacts({ ...LIMIT, policy: 'c', allowed: true }), limitFacts({ ...LIMIT, policy: 'd', limit: 1, window_ms: 900_000 })]),
      `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT} The limit of 5 requests per second and the limit of 1 request per 15 minutes would not have let it through either.`,
    ],
    ['a reason of a later version', facts({ reason: 'moon_phase' }), `${WHEN} was refused because the limit of 60 requests per minute did not let it through${WAIT}`],
    ['a wait into the next day', facts({ retry_after_ms: 86_400_000 }), `${WHEN} was refused because the limit of 60 requests per minute was used up; the answer said to wait about 24 hours, until 14:02:07 UTC on 1 February 2026.`],
    [
      'an override that has expired',
      facts({}, [limitFacts(OVERRIDE, { json: TEXT, since: UNCHANGED, override: EXPIRED, inForce: in_force(60) })]),
      `${WHEN} was refused because the temporary limit of 20 requests per minute was used up${WAIT} The temporary limit ended at 15:00:00 UTC. Your limit is now 60 requests per minute.`,
    ],
    [
      'an override that has expired, of a rule that has changed',
      facts({}, [limitFacts(OVERRIDE, { json: TEXT, since: changed({ ...TEXT, version: 4, limit: 100 }), override: EXPIRED, inForce: in_force(100) })]),
      `${WHEN} was refused because the temporary limit of 20 requests per minute was used up${WAIT} The temporary limit ended at 15:00:00 UTC. Your limit is now 100 requests per minute.`,
    ],
    [
      'an override that was removed before its end',
      facts({}, [limitFacts(OVERRIDE, { override: { ...EXPIRED, state: 'removed', endedAtMs: Date.parse('2026-02-01T08:00:00Z') } })]),
      `${WHEN} was refused because the temporary limit of 20 requests per minute was used up${WAIT} The temporary limit was lifted at 08:00:00 UTC on 1 February 2026.`,
    ],
    [
      'an override that is in force',
      facts({}, [limitFacts(OVERRIDE, { json: TEXT, override: { ...EXPIRED, state: 'live', last: then(20, '2026-02-10T00:00:00Z'), endedAtMs: undefined }, inForce: in_force(20, 60_000, 'ovr_1') })]),
      `${WHEN} was refused because the temporary limit of 20 requests per minute was used up${WAIT} The temporary limit ends at 00:00:00 UTC on 10 February 2026.`,
    ],
    ['an override that nobody knows', facts({}, [limitFacts(OVERRIDE, { override: { overrideId: 'ovr_1', then: undefined, last: undefined, state: 'unknown', endedAtMs: undefined } })]), `${WHEN} was refused because the temporary limit of 20 requests per minute was used up${WAIT}`],
    [
      'another override now',
      facts({}, [limitFacts(LIMIT, { json: TEXT, since: UNCHANGED, inForce: in_force(500, 60_000, 'ovr_2') })]),
      `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT} For the time being, your limit is 500 requests per minute.`,
    ],
    ['a rule that has changed', facts({}, [limitFacts(LIMIT, { json: TEXT, since: changed({ ...TEXT, version: 4, limit: 100 }), inForce: in_force(100) })]), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT} Your limit is now 100 requests per minute.`],
    ['a rule that has changed, by its text alone', facts({}, [limitFacts(LIMIT, { json: TEXT, since: changed({ ...TEXT, version: 4, limit: 5, window_seconds: 1 }) })]), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT} That limit has since been changed to 5 requests per second.`],
    ['a rule that has changed in what is none of the limit', facts({}, [limitFacts(LIMIT, { json: TEXT, since: changed({ ...TEXT, version: 4, max_lease: 5 }) })]), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT}`],
    ['a key that is gone, or somebody else\'s now', { ...facts({}, [limitFacts(OVERRIDE, { json: TEXT, since: changed({ ...TEXT, version: 4, limit: 100 }), override: EXPIRED, inForce: in_force(100) })]), keySince: 'gone' }, `${WHEN} was refused because the temporary limit of 20 requests per minute was used up${WAIT}`],
    [
      'a limit of the whole account now',
      facts({}, [limitFacts({ ...LIMIT, limit: 5 }, { json: { ...TEXT, limit: 5 }, since: UNCHANGED, inForce: in_force_by({ limit: 100, countBy: ['tenant_id'] }, { ...TEXT, version: 4, limit: 100, count_by: ['tenant_id'] }) })]),
      `${WHEN} was refused because the limit of 5 requests per minute was used up${WAIT} Your limit is now 100 requests per minute for your whole account.`,
    ],
    [
      'as much for the whole account now, and before for each address',
      facts({}, [limitFacts(LIMIT, { json: { ...TEXT, count_by: ['ip'] }, since: UNCHANGED, inForce: in_force_by({ countBy: ['tenant_id'] }, { ...TEXT, version: 4, count_by: ['tenant_id'] }) })]),
      `${WHEN} was refused because the limit of 60 requests per minute for each address was used up${WAIT} Your limit is now 60 requests per minute for your whole account.`,
    ],
    [
      'for each key now, and before for the whole account',
      facts({}, [limitFacts(LIMIT, { json: { ...TEXT, count_by: ['tenant_id'] }, since: UNCHANGED, inForce: in_force_by({ countBy: ['key_id'] }, { ...TEXT, version: 4 }) })]),
      `${WHEN} was refused because the limit of 60 requests per minute for your whole account was used up${WAIT} Your limit is now 60 requests per minute for each API key.`,
    ],
    [
      'a rolling day now, and before a calendar one',
      facts({}, [limitFacts(A_DAY, { json: CALENDAR, inForce: in_force_by({ limit: 200, windowMs: 86_400_000 }, { ...TEXT, version: 4, algorithm: 'fixed_window', limit: 200, window_seconds: 86_400 }) })]),
      `${WHEN} was refused because the limit of 60 requests per day (Europe/Berlin) was used up${WAIT} Your limit is now 200 requests per day.`,
    ],
    [
      'as much on a rolling day now, and before on a calendar one',
      facts({}, [limitFacts(A_DAY, { json: CALENDAR, inForce: in_force_by({ windowMs: 86_400_000 }, { ...TEXT, version: 4, algorithm: 'fixed_window', window_seconds: 86_400 }) })]),
      `${WHEN} was refused because the limit of 60 requests per day (Europe/Berlin) was used up${WAIT} Your limit is now 60 requests per day.`,
    ],
    [
      'as much on a calendar day, by a text that is not known now',
      facts({}, [limitFacts(A_DAY, { json: CALENDAR, inForce: in_force(60, 86_400_000) })]),
      `${WHEN} was refused because the limit of 60 requests per day (Europe/Berlin) was used up${WAIT}`,
    ],
    ['a rule that is gone', facts({}, [limitFacts(LIMIT, { json: TEXT, since: changed(null) })]), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT} That limit has since been taken away.`],
    ['no limit any more', facts({}, [limitFacts(LIMIT, { json: TEXT, since: changed(null), inForce: { limit: undefined } })]), `${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT} No such limit applies to your requests any more.`],
    [
      'a calendar window',
      facts({ retry_after_ms: null }, [limitFacts({ ...LIMIT, limit: 10_000, window_ms: 2_592_000_000 }, { json: { rule_id: 'm', version: 3, algorithm: 'fixed_window', limit: 10_000, calendar: { unit: 'month', time_zone: 'Europe/Berlin' } } })]),
      `${WHEN} was refused because the limit of 10,000 requests per calendar month (Europe/Berlin) was used up.`,
    ],
    [
      'a bucket',
      facts({}, [limitFacts(LIMIT, { json: { ...TEXT, algorithm: 'gcra', burst: 10 } })]),
      `${WHEN} was refused because the limit of 60 requests per minute (at most 10 at once) was used up${WAIT}`,
    ],
    [
      'a shaper',
      facts({}, [limitFacts({ ...LIMIT, limit: 10, window_ms: 1_000 }, { json: { ...TEXT, algorithm: 'leaky_bucket', shape: true, limit: 10, window_seconds: 1, burst: 20 } })]),
      `${WHEN} was refused because requests are let through at an even pace of 10 requests per second, and 20 were waiting for their turn already, which is as many as may${WAIT}`,
    ],
    [
      'a shaper, by an override with another burst',
      facts({}, [limitFacts({ ...OVERRIDE, limit: 6 }, { json: SHAPER, override: { ...EXPIRED, then: { limit: 6, burst: 3, expiresAtMs: 0, reason: undefined } } })]),
      `${WHEN} was refused because requests are let through at an even pace of 6 requests per minute, and 3 were waiting for their turn already, which is as many as may${WAIT} The temporary limit ended at 15:00:00 UTC.`,
    ],
    [
      "a shaper, by an override with the rule's burst in proportion",
      facts({}, [limitFacts({ ...OVERRIDE, limit: 2 }, { json: SHAPER, override: { ...EXPIRED, then: then(2, '2026-01-31T15:00:00Z') } })]),
      `${WHEN} was refused because requests are let through at an even pace of 2 requests per minute, and 1 was waiting for its turn already, which is as many as may${WAIT} The temporary limit ended at 15:00:00 UTC.`,
    ],
    [
      'a shaper, by an override that nobody knows',
      facts({}, [limitFacts({ ...OVERRIDE, limit: 6 }, { json: SHAPER, override: { overrideId: 'ovr_1', then: undefined, last: undefined, state: 'unknown', endedAtMs: undefined } })]),
      `${WHEN} was refused because requests are let through at an even pace of 6 requests per minute, and as many as may were waiting for their turn already${WAIT}`,
    ],
    [
      'a sliding log that counts the whole account',
      facts({}, [limitFacts(LIMIT, { json: { ...TEXT, algorithm: 'sliding_log', count_by: ['tenant_id'] } })]),
      `${WHEN} was refused because the limit of 60 requests per minute for your whole account was used up${WAIT}`,
    ],
    [
      'counted by address and endpoint, and by what customers do not know',
      facts({}, [limitFacts(LIMIT, { json: { ...TEXT, count_by: ['ip', 'endpoint', 'x-shard'] } })]),
      `${WHEN} was refused because the limit of 60 requests per minute for each address and for each endpoint was used up${WAIT}`,
    ],
    ['short windows', facts({}, [limitFacts({ ...LIMIT, window_ms: 250 })]), `${WHEN} was refused because the limit of 60 requests per 250 milliseconds was used up${WAIT}`],
    ['a window of no whole unit', facts({}, [limitFacts({ ...LIMIT, window_ms: 1_500 })]), `${WHEN} was refused because the limit of 60 requests per 1.5 seconds was used up${WAIT}`],
    ['it passed', facts({ allowed: true, reason: 'ok', retry_after_ms: null }, [limitFacts({ ...LIMIT, allowed: true, reason: 'ok', remaining: 41, retry_ms: 0 })]), `${WHEN} was not refused: after it, 41 of the limit of 60 requests per minute were left.`],
    ['no rule', facts({ allowed: true, reason: 'no_rule', source: 'none', retry_after_ms: null }, []), `${WHEN} was not refused: no limit applied to it.`],
    [
      'shadow',
      facts({ kind: 'shadow', reason: 'shadow' }, [limitFacts({ ...LIMIT, rule_id: 'proposed:free-default', limit: 30 })]),
      `${WHEN} was not refused by this. A limit of 30 requests per minute is being tried out; had it been in force, it would have refused the request.`,
    ],
    ['no credentials', facts({ kind: 'unauthenticated', reason: 'no_credentials', source: 'none', attributes: { ip: '203.0.113.9' } }, []), 'On 31 January 2026 at 14:02:07 UTC, a request from the address 203.0.113.9 was refused because it carried no API key. No limit had to do with it.'],
    [
      'unknown credentials',
      facts({ kind: 'unauthenticated', reason: 'unknown_credentials', source: 'none', attributes: {} }, []),
      'On 31 January 2026 at 14:02:07 UTC, a request was refused because the API key that it carried is not known to us, or no longer valid. No limit had to do with it.',
    ],
    ['no key, and a path with what would break a line', facts({ attributes: { ip: '2001:db8::/64', endpoint: 'GET /a\r\nBcc: x' } }), `On 31 January 2026 at 14:02:07 UTC, a request to GET /a Bcc: x from the address 2001:db8::/64 was refused because the limit of 60 requests per minute was used up${WAIT}`],
  ])('%s', (_name, known, sentence) => {
    expect(sentenceOf(known)).toBe(sentence);
    // A customer is told nothing of what is inside.
    expect(sentence).not.toMatch(/gateway-7f9c|\beu\b|free-default|ovr_1|snapshot|lease|Redis|token:|abuse suspected|\bstore\b|\bnode\b|fallback/);
  });

  it.each(['fixed_window', 'sliding_log', 'sliding_counter', 'token_bucket', 'leaky_bucket', 'gcra'])('%s: how much, in what time', (algorithm) => {
    const known = facts({}, [limitFacts(LIMIT, { json: { ...TEXT, algorithm }, since: UNCHANGED, inForce: in_force(60) })]);
    expect(sentenceOf(known)).toBe(`${WHEN} was refused because the limit of 60 requests per minute was used up${WAIT}`);
  });

  it.each([0, 1, 412, 999])('%i ms into a second: when it was, and how long to wait, are together until when', (ms) => {
    const atMs = AT_MS - 412 + ms;
    expect(sentenceOf(facts({ at_ms: atMs, retry_after_ms: 700 }))).toContain('at 14:02:07 UTC, a request to GET /v1/items/{id} with your API key key_3f2a was refused because the limit of 60 requests per minute was used up; the answer said to wait 1 second, until 14:02:08 UTC.');
    expect(sentenceOf(facts({ at_ms: atMs }))).toContain(WAIT);
  });

  it('where nothing is recorded it does not say that nothing happened', () => {
    const looked = { fromMs: AT_MS - 60_000, toMs: AT_MS + 60_000, keyId: 'key_3f2a', endpoint: undefined };
    expect(nothingRecorded(looked)).toBe('Between 14:01:07 UTC and 14:03:07 UTC on 31 January 2026, no refused request with your API key key_3f2a is recorded. Of requests that pass only a part is recorded, so there may have been some.');
    expect(noRefusal({ ...looked, fromMs: AT_MS - 86_400_000, endpoint: 'GET /a' })).toBe('Between 14:02:07 UTC on 30 January 2026 and 14:03:07 UTC on 31 January 2026, no refused request to GET /a with your API key key_3f2a is recorded.');
  });
});

describe('R82 notes for the operator', () => {
  const whole = facts({}, [limitFacts(OVERRIDE, { json: TEXT, since: changed({ ...TEXT, version: 4, limit: 100 }), override: EXPIRED, inForce: in_force(100) })]);
  const known: Facts = { ...whole, inForce: { limits: [], plan: 'pro', tenantId: 'acme', keyDisabled: true } };

  it('say which node, what changed, by whom, and why', () => {
    expect(notesOf(known, { forTenant: false })).toEqual([
      'Decided by node gateway-7f9c (gateway) in region eu, by the shared counter; version 17 of the rules.',
      'Rule free-default was at version 3; now it is at 4 (at 2026-02-01T08:00:00.000Z by token:alice).',
      'Override ovr_1 expired at 2026-01-31T15:00:00.000Z. Its reason: abuse suspected.',
      'The key was on plan free then and is on plan pro now.',
      'The key is disabled now.',
    ]);
  });

  it('name neither nodes nor people nor reasons to a tenant', () => {
    const notes = notesOf(known, { forTenant: true }).join('\n');
    expect(notes).toContain('Override ovr_1 expired at 2026-01-31T15:00:00.000Z.');
    expect(notes).not.toMatch(/gateway|alice|abuse/);
  });

  it('of a key that is gone or moved: whose it is to an operator, and to a tenant that it is not its own', () => {
    const moved: Facts = { ...known, inForce: { limits: [], plan: 'gold', tenantId: 'rival', keyDisabled: false }, keySince: 'moved' };
    expect(notesOf(moved, { forTenant: false })).toContain('The key is of tenant rival now, and was of tenant acme then: what applies to it now is left out.');
    const gone: Facts = { ...known, inForce: { limits: [], plan: undefined, keyDisabled: false, keyGone: true }, keySince: 'gone' };
    expect(notesOf(gone, { forTenant: false })).toContain('The key has been deleted.');
    const theirs = [moved, gone].map((each) => notesOf(tenantsFacts(each), { forTenant: true }));
    expect(theirs[0]).toEqual(theirs[1]);
    expect(theirs[0]?.at(-1)).toBe('The key is not one of this account any more: what became of its limits since is not said.');
    expect(theirs.join()).not.toMatch(/rival|gold|version 3; now|expired/);
  });

  it('say nothing to a tenant of why the control plane could not be asked', () => {
    const why = 'it does not take the token of this service (401): SLUICE_ADMIN_TOKEN needs the role of a viewer';
    expect(notesOf({ ...facts(), unavailable: why, keySince: 'unknown' }, { forTenant: false }).join()).toContain('SLUICE_ADMIN_TOKEN');
    expect(notesOf({ ...facts(), unavailable: why, keySince: 'unknown' }, { forTenant: true })).toEqual(['Decided in region eu, by the shared counter; version 17 of the rules.']);
  });

  it('say what could not be found out', () => {
    expect(notesOf({ ...facts(), unavailable: 'it answered 502' }, { forTenant: false })).toContain('The control plane could not be asked (it answered 502): the texts of rules, and what is in force now, may be missing.');
    expect(notesOf(facts(), { forTenant: false })).toContain('Rule free-default at version 3 is not known to the control plane.');
    const other = facts({}, [limitFacts(LIMIT, { json: { ...TEXT, limit: 61 } })]);
    expect(notesOf(other, { forTenant: false }).join('\n')).toContain("has another limit in the control plane's log than the node enforced");
    expect(notesOf(facts({ sampled_share: 0.01 }), { forTenant: false })).toContain('This event is one of a sample: 1 % of the requests like it are recorded.');
  });
});
