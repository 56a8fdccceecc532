import { attributeText, type DecisionEvent } from '@sluice/events';
import { type Answer, type RunningLog, startLog } from './support/running-log.js';
import { type ScriptedAuthority, startAuthority } from './support/scripted-authority.js';
import { eventOf, limitOf } from './store-contract/sample-events.js';

const AT_MS = Date.now() - 60_000;
const LONG_KEY = `tenant-7/${'k'.repeat(400)}`;
const LONG_ENDPOINT = `GET /${'p'.repeat(3_000)}`;

let sequence = 0;
const event = (of: Partial<DecisionEvent>): DecisionEvent => eventOf({ event_id: `questions:${(sequence += 1)}`, at_ms: AT_MS, limits: [limitOf({})], ...of });
const long = event({ allowed: false, reason: 'quota', attributes: { key_id: attributeText(LONG_KEY), endpoint: attributeText(LONG_ENDPOINT) } });
const later = event({ allowed: false, reason: 'moon_phase', source: 'moon', attributes: { key_id: 'k1' } });

let authority: ScriptedAuthority;
let log: RunningLog;
beforeAll(async () => {
  authority = await startAuthority({ viewer: { role: 'viewer' }, acme: { role: 'tenant', tenant_id: 'acme' } });
  log = await startLog(authority.url);
  await log.store.write([long, later, ...HISTORY].map((each) => ({ partition: 0, event: each })));
}, 60_000);
afterAll(async () => {
  await log.close();
  await authority.close();
});

const ask = (path: string, query: Readonly<Record<string, string>>, token?: string): Promise<Answer> => log.get(`${path}?${new URLSearchParams(query).toString()}`, token);

/** An hour of its own for each: where all is recorded, where a sample is, and where nobody knows. */
const HOUR = 3_600_000;
const HOURS = { exact: AT_MS - 4 * HOUR, sampled: AT_MS - 8 * HOUR, unknown: AT_MS - 12 * HOUR };
const passed = (atMs: number, key: string, share: number): DecisionEvent => event({ at_ms: atMs, sampled_share: share, attributes: { key_id: key, tenant_id: key === 'mine' ? 'acme' : 'beta' } });
const refused = (atMs: number): DecisionEvent => event({ at_ms: atMs, allowed: false, reason: 'quota', attributes: { key_id: 'mine', tenant_id: 'acme' } });
const HISTORY = [
  ...[refused(HOURS.exact), passed(HOURS.exact, 'mine', 1), passed(HOURS.exact, 'other', 1)],
  // Of the key's own that passed none was drawn.
  ...[refused(HOURS.sampled), passed(HOURS.sampled, 'other', 0.01)],
  refused(HOURS.unknown),
];

describe('R82 sums say how exact they are', () => {
  const range = (atMs: number) => ({ from: new Date(atMs - 1_000).toISOString(), to: new Date(atMs + 1_000).toISOString() });
  const sums = async (path: string, atMs: number, token?: string): Promise<unknown> => {
    const { body } = await ask(path, { ...range(atMs), by: 'key', key_id: 'mine' }, token);
    return (body['usage'] ?? body['top']) as unknown;
  };

  it.each(['/v1/usage', '/v1/top'])('%s: exact where all that passed is recorded, not where others are sampled, and unknown where nothing passed', async (path) => {
    expect(await sums(path, HOURS.exact)).toMatchObject([{ group: 'mine', refused: 1, allowed: 1, sampled: false, standard_error: 0 }]);
    expect(await sums(path, HOURS.sampled)).toMatchObject([{ group: 'mine', refused: 1, allowed: 0, sampled: true, standard_error: null }]);
    expect(await sums(path, HOURS.unknown)).toMatchObject([{ group: 'mine', refused: 1, allowed: 0, sampled: null, standard_error: null }]);
  });

  it('a tenant learns it of its own requests alone', async () => {
    expect(await sums('/v1/usage', HOURS.exact, 'acme')).toMatchObject([{ sampled: false, standard_error: 0 }]);
    expect(await sums('/v1/usage', HOURS.sampled, 'acme')).toMatchObject([{ sampled: null, standard_error: null }]);
  });

  it.each([['exact', false, 0], ['sampled', true, null], ['unknown', null, null]] as const)('the minute around a decision: %s', async (hour, sampled, error) => {
    const { body } = await ask('/v1/decisions:explain', { key_id: 'mine', at: new Date(HOURS[hour]).toISOString() });
    expect(body).toMatchObject({ found: 'refusal', around: { refused: 1, sampled, standard_error: error } });
  });
});

describe('R82 questions', () => {
  it('an attribute that nodes cut and hash is found by the value that the request had', async () => {
    const decisions = await ask('/v1/decisions', { key_id: LONG_KEY, endpoint: LONG_ENDPOINT });
    expect(decisions.body).toMatchObject({ decisions: [{ event_id: long.event_id }] });
    const why = await ask('/v1/decisions:explain', { key_id: LONG_KEY, endpoint: LONG_ENDPOINT, at: new Date(AT_MS).toISOString() });
    expect(why.body).toMatchObject({ found: 'refusal', decision: { event_id: long.event_id } });
    expect((await ask('/v1/usage', { key_id: LONG_KEY })).body).toMatchObject({ usage: [{ refused: 1 }] });
    expect((await ask('/v1/top', { by: 'key', key_id: LONG_KEY })).body).toMatchObject({ top: [{ group: attributeText(LONG_KEY), refused: 1 }] });
    expect((await ask('/v1/decisions', { key_id: 'x'.repeat(8_193) })).body).toMatchObject({ errors: [{ pointer: '/query/key_id' }] });
  });

  it('a reason that only later nodes know can be asked for, and is answered', async () => {
    expect((await ask('/v1/decisions', { reason: 'moon_phase' })).body).toMatchObject({ decisions: [{ event_id: later.event_id, reason: 'moon_phase', source: 'moon' }] });
    expect((await ask('/v1/decisions', { reason: 'no_such' })).body).toMatchObject({ decisions: [] });
  });
});
