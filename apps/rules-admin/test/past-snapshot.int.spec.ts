import { type Snapshot, snapshotChecksum, validateSnapshot } from '@sluice/rules';
import fc from 'fast-check';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';

let plane: ControlPlane;
async function start(): Promise<void> {
  plane = await startControlPlane();
}
const stop = (): Promise<void> => plane.close();

/** What nodes had, and when it began. */
interface Moment {
  readonly at: string;
  readonly text: string;
  readonly checksum: string | null;
  readonly etag: string | null;
}

async function moment(): Promise<Moment> {
  const [last] = (await plane.call('/v1/audit?limit=1')).body['entries'] as { at: string }[];
  const { text, headers, etag } = await plane.call('/v1/snapshot');
  return { at: last?.at ?? '', text, checksum: headers.get('sluice-checksum'), etag };
}

const at = (time: string, call = {}): Promise<Answer> => plane.call(`/v1/snapshot?at=${encodeURIComponent(time)}`, call);

const now = async (): Promise<string> => {
  // By the database's clock, which is this machine's: a little behind, so that it is never in the future.
  await new Promise((resolve) => setTimeout(resolve, 5));
  return new Date(Date.now() - 2).toISOString();
};

describe('R60 GET /v1/snapshot?at=', () => {
  beforeAll(start, 60_000);
  afterAll(stop);

  it('before anything was written it is empty; before the log began a 404 that says when that was; in the future a 400', async () => {
    const empty = await at(await now());
    expect([empty.status, empty.body]).toEqual([200, { version: 0, plans: [], rules: [], overrides: [] }]);
    const before = await at('2001-01-01T14:02:00Z');
    expect([before.status, before.body]).toEqual([404, expect.objectContaining({ type: 'urn:sluice:problem:before-log', log_begins_at: expect.stringMatching(/^20\d\d-.*Z$/) })]);
    const later = await at(new Date(Date.now() + 60_000).toISOString());
    expect([later.status, later.body['errors']]).toEqual([400, [{ pointer: '/query/at', detail: 'must not be in the future, by the clock of the database' }]]);
  });

  it.each(['at=noon', 'at=2026-01-01T14:02:00', 'at=2026-01-01T14:02:00Z&since=1', 'at=', 'at=2026-01-01T14:02:00Z&at=2026-01-01T14:03:00Z'])('%s is a 400', async (query) => {
    expect((await plane.call(`/v1/snapshot?${query}`)).status).toBe(400);
  });

  it('takes any time zone, and answers as the present does: valid, with checksum, epoch and tag, 304 to who holds it, compressed', async () => {
    await plane.put('/v1/plans/free', { name: 'Free', default_limit: { limit: 60, window_seconds: 60 } });
    for (let n = 0; n < 30; n += 1) await plane.put(`/v1/rules/many-${n}`, { plan: 'free', endpoint: `/many/${n}`, limit: n + 1, window_seconds: 1 });
    const then = await moment();
    await plane.put('/v1/rules/later', { limit: 1, window_seconds: 1 });
    const answer = await at(then.at.replace(/Z$/, '+00:00'));
    expect([answer.status, answer.text, answer.etag, answer.headers.get('sluice-checksum')]).toEqual([200, then.text, then.etag, then.checksum]);
    const held = await at(then.at, { ifNoneMatch: then.etag ?? '' });
    expect([held.status, held.text, held.etag]).toEqual([304, '', then.etag]);
    const packed = await at(then.at, { headers: { 'accept-encoding': 'br' } });
    expect([packed.headers.get('content-encoding'), packed.text]).toEqual(['br', then.text]);
    const whole = validateSnapshot(answer.body);
    expect(whole.ok && snapshotChecksum(whole.value)).toBe(then.checksum);
  });

  it('a microsecond decides: at the time of a change it is in force, before it is not', async () => {
    const before = await moment();
    await plane.put('/v1/rules/edge', { limit: 1, window_seconds: 1, policy: 'edge' });
    const after = await moment();
    expect((await at(after.at)).text).toBe(after.text);
    const earlier = after.at.replace(/(\d{6})Z$/, (_all, micros: string) => `${String(Number(micros) - 1).padStart(6, '0')}Z`);
    expect((await at(earlier)).text).toBe(after.at.endsWith('000000Z') ? expect.anything() : before.text);
  });

  it('what did not reach nodes then is not in its version', async () => {
    const before = await moment();
    await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'A', key_id: 'k1' } });
    const after = await moment();
    expect(after.at).not.toBe(before.at);
    expect((await at(after.at)).text).toBe(before.text);
  });

  it('a change that is being committed is waited for: the answer for a time never changes again', async () => {
    let writing = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let limit = 1; limit <= 25; limit += 1) await plane.put(`/v1/rules/busy-${writer}`, { limit, window_seconds: 1, policy: `busy-${writer}` }, limit === 1 ? { ifNoneMatch: '*' } : { ifMatch: '*' });
    });
    const answers = new Map<string, string>();
    const reader = (async () => {
      while (writing) {
        const time = new Date(Date.now()).toISOString();
        const { status, text } = await at(time);
        if (status === 200) answers.set(time, text);
      }
    })();
    await Promise.all(writers);
    writing = false;
    await reader;
    expect(answers.size).toBeGreaterThan(10);
    for (const [time, text] of answers) expect([time, (await at(time)).text === text]).toEqual([time, true]);
  }, 30_000);
});

describe('R60 what was in force, over random histories', () => {
  // Its own log, so that moments are in both halves of it: they are found in different ways.
  beforeAll(async () => {
    await start();
    await plane.put('/v1/plans/free', {});
    await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'A', key_id: 'k1' } });
  }, 60_000);
  afterAll(stop);

  const IDS = ['p', 'q', 'r'];
  const operation = fc.record({ what: fc.constantFrom('put', 'put', 'delete', 'override', 'drop', 'propose', 'discard', 'plan'), id: fc.constantFrom(...IDS), limit: fc.integer({ min: 1, max: 50 }) });

  /** Whatever comes of it: refusals are part of the history too. */
  async function carryOut({ what, id, limit }: { what: string; id: string; limit: number }): Promise<void> {
    const rule = { plan: 'free', endpoint: `/${id}`, limit, window_seconds: 1 };
    const exists = (await plane.call(`/v1/rules/${id}`)).status === 200;
    if (what === 'put') await plane.put(`/v1/rules/${id}`, rule, exists ? { ifMatch: '*' } : { ifNoneMatch: '*' });
    if (what === 'delete') await plane.call(`/v1/rules/${id}`, { method: 'DELETE', ifMatch: '*' });
    if (what === 'plan') await plane.put('/v1/plans/free', { default_limit: { limit, window_seconds: 1 } }, { ifMatch: '*' });
    if (what === 'override') await plane.call('/v1/overrides', { method: 'POST', json: { key_id: 'k1', rule_id: id, limit, expires_at: new Date(Date.now() + 3_600_000).toISOString(), reason: 'x' }, headers: { 'idempotency-key': `${Math.random()}` } });
    if (what === 'drop') {
      const [first] = (await plane.call(`/v1/overrides?rule_id=${id}`)).body['overrides'] as { override_id: string }[];
      if (first !== undefined) await plane.call(`/v1/overrides/${first.override_id}`, { method: 'DELETE', ifMatch: '*' });
    }
    if (what === 'propose' && exists) await plane.put(`/v1/rules/${id}/proposal`, rule);
    if (what === 'discard') await plane.call(`/v1/rules/${id}/proposal`, { method: 'DELETE', ifMatch: '*' });
  }

  it('each moment is given back to the byte, deletions, re-creations, overrides and proposals included', async () => {
    const seen = { override: 0, proposal: 0 };
    const operations = fc.sample(operation, { numRuns: 120, seed: 20_261_130 });
    const moments: Moment[] = [];
    for (const each of operations) {
      await carryOut(each);
      const reached = await moment();
      if (reached.text !== moments.at(-1)?.text) moments.push(reached);
      const snapshot = JSON.parse(reached.text) as Snapshot;
      seen.override += snapshot.overrides.length;
      seen.proposal += snapshot.rules.filter(({ rule_id }) => rule_id.startsWith('proposed:')).length;
    }
    expect(moments.length).toBeGreaterThan(40);
    expect(seen.override).toBeGreaterThan(0);
    expect(seen.proposal).toBeGreaterThan(0);
    for (const { at: time, text, checksum } of moments) {
      const answer = await at(time);
      expect([time, answer.text, answer.headers.get('sluice-checksum')]).toEqual([time, text, checksum]);
    }
    const present = await plane.call('/v1/snapshot');
    expect((await at(await now())).text).toBe(present.text);
  }, 60_000);
});
