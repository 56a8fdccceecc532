import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DecisionEvent } from '@sluice/events';
import { createReplay, requestOf } from '@sluice/replay';
import { compileSnapshot, type Snapshot } from '@sluice/rules';
import { type Answer, type RunningLog, startLog } from '../support/running-log.js';
import { eventOf, limitOf } from '../store-contract/sample-events.js';

const HOUR = 3_600_000;
const START = Math.floor(Date.now() / HOUR) * HOUR - 5 * HOUR;
const RANGE = { from: new Date(START).toISOString(), to: new Date(START + HOUR).toISOString() };
const ROLES: Readonly<Record<string, string>> = { viewer: 'viewer', anna: 'editor', bert: 'editor', root: 'admin', acme: 'tenant' };

const IN_FORCE: Snapshot = {
  version: 9,
  plans: [{ plan_id: 'free' }, { plan_id: 'pro' }],
  rules: [
    { rule_id: 'free', version: 2, plan: 'free', limit: 10, window_seconds: 60, algorithm: 'fixed_window' },
    { rule_id: 'search', version: 1, policy: 'search', endpoint: 'GET /search', limit: 3, window_seconds: 60, algorithm: 'sliding_log' },
  ],
  overrides: [{ override_id: 'o1', rule_id: 'free', key_id: 'k1', limit: 100, expires_at: new Date(START + HOUR / 2).toISOString() }],
};
const PAST: Snapshot = { ...IN_FORCE, version: 4, overrides: [] };

/** Twelve keys, one request each two seconds; ids whose text is not in the order of their numbers. */
const events: readonly DecisionEvent[] = Array.from({ length: 12_000 }, (_, at) =>
  eventOf({
    event_id: `p:${at + 1}`,
    at_ms: START + Math.floor(at / 12) * 3_000,
    cost: 1 + (at % 3),
    allowed: at % 7 !== 0,
    reason: at % 7 === 0 ? 'quota' : 'ok',
    sampled_share: 1,
    attributes: { plan: at % 12 < 8 ? 'free' : 'pro', key_id: `k${at % 12}`, endpoint: at % 5 === 0 ? 'GET /search' : 'GET /items' },
    limits: [limitOf({ rule_id: 'free', rule_version: 1 })],
  }),
);

function projected(snapshot: Snapshot): Record<string, unknown> {
  const replay = createReplay({ rules: compileSnapshot(snapshot) });
  for (const event of events) {
    const request = requestOf(event);
    if (request !== undefined) replay.decide(request);
  }
  const { times: _times, bucket_ms: _bucket, ...report } = replay.report();
  return { ...report };
}

describe('R59 backtests over HTTP', () => {
  let control: Server;
  let log: RunningLog;
  let snapshotStatus = 200;
  let inForce = IN_FORCE;

  const post = (path: string, body: object, token = 'anna'): Promise<Answer> => log.get(path, token, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const start = async (body: object, token = 'anna'): Promise<string> => {
    const answer = await post('/v1/backtests', { ...RANGE, ...body }, token);
    expect(answer).toMatchObject({ status: 202 });
    expect(answer.headers.get('location')).toBe(`/v1/backtests/${String(answer.body['backtest_id'])}`);
    return String(answer.body['backtest_id']);
  };
  const ended = async (id: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { body } = await log.get(`/v1/backtests/${id}`);
      if (body['ended_at'] !== null) return body;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  beforeAll(async () => {
    control = createServer((request, response) => {
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      const role = ROLES[token];
      const reply = (status: number, body: object): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url === '/v1/tokens:self' && role !== undefined) return reply(200, { actor: `token:${token}`, role, tenant_id: role === 'tenant' ? 'acme' : null, expires_at: null });
      if (request.url === '/v1/snapshot' && token === 'of-the-service') return reply(snapshotStatus, inForce);
      if (request.url?.startsWith('/v1/snapshot?at=') === true) return request.url.includes('2020') ? reply(404, {}) : reply(200, PAST);
      return reply(401, {});
    });
    await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
    log = await startLog(`http://127.0.0.1:${(control.address() as AddressInfo).port}`);
    for (let at = 0; at < events.length; at += 4_000) await log.store.write(events.slice(at, at + 4_000).map((event) => ({ partition: 0, event })));
  });

  afterAll(async () => {
    await log.close();
    control.closeAllConnections();
    control.close();
  });

  it('a whole set, and changes of the one in force: what a replay of the same events says', async () => {
    const upsert = [{ rule_id: 'free', plan: 'free', limit: 4, window_seconds: 60 }];
    const changed = await ended(await start({ rules: { upsert, remove: ['search'] } }));
    expect(changed).toMatchObject({ state: 'done', actor: 'token:anna', snapshot_version: 9, fault: null, progress: { share: 1, events: events.length } });
    expect(changed['result']).toMatchObject({ partial: false, ...projected({ ...IN_FORCE, rules: [{ ...upsert[0], version: 3 } as Snapshot['rules'][number]] }) });

    const same = await ended(await start({ rules: IN_FORCE.rules }));
    expect(same['result']).toMatchObject(projected(IN_FORCE));
    expect((same['result'] as { total: { refused: number } }).total.refused).toBeGreaterThan(100);
    const past = await ended(await start({ rules: {}, against: '2026-10-01T00:00:00Z' }));
    expect(past).toMatchObject({ snapshot_version: 4 });
    expect(past['result']).toMatchObject(projected(PAST));
  });

  it('takes thousands of rules', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({ rule_id: `many-${at}`, plan: 'free', endpoint: `GET /v1/r${at}/{id}`, limit: 10, window_seconds: 60, policy: 'default' }));
    const done = await ended(await start({ rules: [...many, { rule_id: 'wide', limit: 3, window_seconds: 3_600 }], filter: { key_id: 'k8' } }));
    expect(done).toMatchObject({ state: 'done', result: { events: 1_000, total: { refused: 999 } } });
  });

  it('only what the filter names', async () => {
    const one = await ended(await start({ rules: {}, filter: { key_id: 'k3', plan: 'free' } }));
    expect(one).toMatchObject({ filter: { key_id: 'k3', plan: 'free' }, result: { events: 1_000, keys: [{ attribute: 'key_id', name: 'k3' }] } });
  });

  it('the same request of the same caller is the same backtest; a page at a time, the newest first', async () => {
    const first = await start({ rules: {}, filter: { key_id: 'k4' } });
    expect(await start({ rules: {}, filter: { key_id: 'k4' } })).toBe(first);
    const other = await start({ rules: {}, filter: { key_id: 'k4' } }, 'bert');
    expect(other).not.toBe(first);
    const page = (await log.get('/v1/backtests?limit=1')).body as { backtests: object[]; next_cursor: string };
    expect(page).toMatchObject({ backtests: [{ backtest_id: other }], next_cursor: other });
    expect((await log.get(`/v1/backtests?limit=1&cursor=${page.next_cursor}`)).body).toMatchObject({ backtests: [{ backtest_id: first }] });
    await ended(other);
  });

  it('is another one once the rules in force are others, or while its time is not over', async () => {
    const first = await start({ rules: {}, filter: { key_id: 'k9' } });
    await ended(first);
    expect(await start({ rules: {}, filter: { key_id: 'k9' }, from: RANGE.from.replace('Z', '+00:00') })).toBe(first);
    inForce = { ...IN_FORCE, version: 10, rules: IN_FORCE.rules.map((rule) => ({ ...rule, limit: 1 })) };
    const second = await start({ rules: {}, filter: { key_id: 'k9' } });
    inForce = IN_FORCE;
    expect(second).not.toBe(first);
    expect(await ended(second)).toMatchObject({ snapshot_version: 10 });

    const open = { rules: {}, filter: { key_id: 'k9' }, to: new Date(Date.now() + HOUR).toISOString() };
    const earlier = await ended(await start(open));
    const last = events.at(-1);
    if (last === undefined) throw new Error('no events');
    await log.store.write([{ partition: 0, event: { ...last, event_id: 'q:1', at_ms: Date.now(), attributes: { ...last.attributes, key_id: 'k9' } } }]);
    const later = await ended(await start(open));
    expect((later['progress'] as { events: number }).events).toBe((earlier['progress'] as { events: number }).events + 1);
  });

  it('is cancelled by who started it, or an admin; what it came to so far stays', async () => {
    const blocked = slowed(log);
    const id = await start({ rules: {}, filter: { key_id: 'k5' } });
    await blocked.reading;
    const waiting = await Promise.all([1, 2, 3, 4].map((limit) => start({ rules: [{ rule_id: 'w', limit, window_seconds: 1 }] })));
    const refused = await post('/v1/backtests', { ...RANGE, rules: [{ rule_id: 'w', limit: 5, window_seconds: 1 }] });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await log.get(`/v1/backtests/${id}`)).body).toMatchObject({ state: 'running', result: { partial: true } });
    expect((await post(`/v1/backtests/${id}:cancel`, {}, 'bert')).status).toBe(403);
    expect(await post(`/v1/backtests/${id}:cancel`, {})).toMatchObject({ status: 200, body: { state: 'cancelled', result: { partial: true } } });
    expect((await post(`/v1/backtests/${id}:cancel`, {})).status).toBe(200);
    for (const one of waiting) expect((await post(`/v1/backtests/${one}:cancel`, {}, 'root')).body).toMatchObject({ state: 'cancelled' });
    blocked.release();
    const next = await start({ rules: {}, filter: { key_id: 'k6' } });
    expect(await ended(next)).toMatchObject({ state: 'done' });
    expect((await post(`/v1/backtests/${next}:cancel`, {})).status).toBe(409);
  });

  it.each([
    ['no body', undefined, ['/from', '/to', '/rules']],
    ['a range that is none', { from: RANGE.to, to: RANGE.from, rules: [] }, ['/from']],
    ['too long a range', { from: '2026-01-01T00:00:00Z', to: RANGE.to, rules: [] }, ['/from']],
    ['a start in the future', { from: '2999-01-01T00:00:00Z', to: '2999-01-02T00:00:00Z', rules: [] }, ['/from']],
    ['times without a zone', { from: '2026-11-30T00:00:00', to: 7, rules: [] }, ['/from', '/to']],
    ['unknown fields', { ...RANGE, rules: [], rule: [], filter: { reason: 'x', key_id: 7 } }, ['/rule', '/filter/reason', '/filter/key_id']],
    ['rules that are wrong', { ...RANGE, rules: [{ rule_id: 'a', limit: 0, window_seconds: 1 }, { rule_id: 'b' }] }, ['/rules/0/limit', '/rules/1/limit', '/rules/1/window_seconds']],
    ['a change of what is not there', { ...RANGE, rules: { remove: ['none'] } }, ['/rules/remove/0']],
    ['a time before the log of changes', { ...RANGE, rules: {}, against: '2020-01-01T00:00:00Z' }, ['/against']],
  ])('400 for %s, by pointer', async (_what, body, pointers) => {
    const answer = await post('/v1/backtests', body ?? {});
    expect(answer.status).toBe(400);
    expect((answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('viewers read, editors start, tenants neither', async () => {
    expect((await post('/v1/backtests', { ...RANGE, rules: {} }, 'viewer')).status).toBe(403);
    expect((await post('/v1/backtests', { ...RANGE, rules: {} }, 'acme')).status).toBe(403);
    expect((await log.get('/v1/backtests', 'acme')).status).toBe(403);
    expect((await log.get('/v1/backtests', null)).status).toBe(401);
    expect((await log.get('/v1/backtests/bt_00000000000000000000')).status).toBe(404);
    expect((await log.get('/v1/backtests/none')).status).toBe(400);
    expect((await log.get('/v1/backtests?cursor=bt_00000000000000000000')).status).toBe(400);
  });

  it('503 while the control plane does not answer', async () => {
    snapshotStatus = 500;
    const answer = await post('/v1/backtests', { ...RANGE, rules: {}, filter: { key_id: 'k7' } });
    snapshotStatus = 200;
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

/** Holds the store's chunks back until it is let go, so that a backtest is running for as long as a test wants. */
function slowed({ store }: RunningLog): { readonly reading: Promise<void>; readonly release: () => void } {
  const scan = store.scanColumns.bind(store);
  let release: () => void = () => undefined;
  let begun: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const reading = new Promise<void>((resolve) => (begun = resolve));
  store.scanColumns = async function* (filter, attributes) {
    begun();
    await gate;
    yield* scan(filter, attributes);
  };
  return {
    reading,
    release: () => {
      store.scanColumns = scan;
      release();
    },
  };
}
