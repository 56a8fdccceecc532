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
  authority = await startAuthority({ viewer: { role: 'viewer' } });
  log = await startLog(authority.url);
  await log.store.write([long, later].map((each) => ({ partition: 0, event: each })));
}, 60_000);
afterAll(async () => {
  await log.close();
  await authority.close();
});

const ask = (path: string, query: Readonly<Record<string, string>>): Promise<Answer> => log.get(`${path}?${new URLSearchParams(query).toString()}`);

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
