import { Client } from 'pg';
import { type Answer, type ControlPlane, startControlPlane, until } from './control-plane.js';
import { Sweeper } from '../src/sweeper/sweeper.js';

let plane: ControlPlane;
let sql: Client;
beforeAll(async () => {
  plane = await startControlPlane();
  sql = new Client(plane.databaseUrl);
  await sql.connect();
}, 60_000);
afterAll(async () => {
  await sql.end();
  await plane.close();
});

let next = 0;
async function inShadow(): Promise<string> {
  next += 1;
  expect((await plane.put(`/v1/rules/watched-${next}`, { endpoint: `/watched-${next}`, limit: 5, window_seconds: 1, mode: 'shadow' })).status).toBe(201);
  return `watched-${next}`;
}

const minuteMs = Math.floor(Date.now() / 60_000) * 60_000;
const minute = (before: number): string => new Date(minuteMs - before * 60_000).toISOString();

interface Count {
  readonly rule_id: string;
  readonly rule_version?: number;
  readonly minute?: string;
  readonly key: string | null;
  readonly allowed?: number;
  readonly denied?: number;
  readonly unknown?: number;
}

function send(counts: readonly Count[], more: object = {}): Promise<Answer> {
  const json = { node_id: 'node-0001', counts: counts.map((count) => ({ rule_version: 1, minute: minute(1), allowed: 0, denied: 0, unknown: 0, ...count })), ...more };
  return plane.call('/v1/shadow-counts', { method: 'POST', json });
}

const report = async (ruleId: string, query = ''): Promise<Answer> => plane.call(`/v1/rules/${ruleId}/shadow-report${query}`);

describe('R58 GET /v1/rules/{id}/shadow-report', () => {
  it('says what it would have refused, by key, over time, summed over the nodes', async () => {
    const rule_id = await inShadow();
    await send([
      { rule_id, key: null, allowed: 100, denied: 20, unknown: 3 },
      { rule_id, key: 'a', allowed: 50, denied: 15 },
      { rule_id, key: 'b', allowed: 10, denied: 4 },
      { rule_id, minute: minute(3), key: null, allowed: 7 },
    ]);
    await send([{ rule_id, key: null, allowed: 10, denied: 5 }, { rule_id, key: 'b', allowed: 10, denied: 5 }], { node_id: 'node-0002' });
    const answer = await report(rule_id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      rule_id,
      of: 'rule',
      version: 1,
      sampled: false,
      totals: { evaluated: 142, would_refuse: 25, share: 25 / 142, unknown: 3 },
      bucket_seconds: 60,
      over_time: [
        { starts_at: minute(3), evaluated: 7, would_refuse: 0 },
        { starts_at: minute(1), evaluated: 135, would_refuse: 25 },
      ],
      by_key: [
        { key: 'a', evaluated: 65, would_refuse: 15 },
        { key: 'b', evaluated: 29, would_refuse: 9 },
      ],
      other: { evaluated: 48, would_refuse: 1 },
      next_cursor: null,
    });
    expect((await report(rule_id, '?key_id=b')).body).toMatchObject({ totals: { evaluated: 29, would_refuse: 9 }, by_key: [{ key: 'b' }], over_time: [{ starts_at: minute(1), evaluated: 29 }] });
    expect((await report(rule_id, `?from=${minute(4)}&to=${minute(2)}`)).body).toMatchObject({ totals: { evaluated: 7, would_refuse: 0 }, by_key: [] });
  });

  it('pages through the keys, those first that it would have refused most', async () => {
    const rule_id = await inShadow();
    const keys = Array.from({ length: 25 }, (_, at) => ({ rule_id, key: `k${String(at).padStart(2, '0')}`, allowed: 1, denied: at % 5 }));
    await send([{ rule_id, key: null, allowed: 25, denied: 50 }, ...keys]);
    const seen: { key: string; would_refuse: number }[] = [];
    for (let cursor: unknown = undefined; cursor !== null; ) {
      const { body } = await report(rule_id, `?limit=10${typeof cursor === 'string' ? `&cursor=${cursor}` : ''}`);
      seen.push(...(body['by_key'] as typeof seen));
      cursor = body['next_cursor'];
    }
    expect(seen.map(({ key }) => key)).toEqual([...keys].sort((a, b) => b.denied - a.denied || (a.key < b.key ? -1 : 1)).map(({ key }) => key));
    expect((await report(rule_id, '?cursor=bm9uZQ')).status).toBe(400);
  });

  it('is of the proposal where there is one, and of each version by itself', async () => {
    await plane.put('/v1/rules/in-force', { endpoint: '/in-force', limit: 5, window_seconds: 1 });
    expect((await report('in-force')).status).toBe(404);
    await plane.put('/v1/rules/in-force/proposal', { endpoint: '/in-force', limit: 3, window_seconds: 1 });
    await send([{ rule_id: 'proposed:in-force', key: null, allowed: 3, denied: 2 }]);
    expect((await report('in-force')).body).toMatchObject({ of: 'proposal', version: 1, totals: { evaluated: 5, would_refuse: 2 } });
    await plane.put('/v1/rules/in-force/proposal', { endpoint: '/in-force', limit: 4, window_seconds: 1 }, { ifMatch: '"v1"' });
    expect((await report('in-force')).body).toMatchObject({ of: 'proposal', version: 2, totals: { evaluated: 0, would_refuse: 0, share: 0 } });
    await plane.call('/v1/rules/in-force/proposal', { method: 'DELETE', ifMatch: '"v2"' });
    expect((await report('in-force')).status).toBe(404);
    expect((await report('in-force', '?of=proposal&version=1')).body).toMatchObject({ totals: { would_refuse: 2 } });
    expect((await report('nowhere')).status).toBe(404);
    expect((await report('in-force')).body['detail']).toMatch(/^Rule in-force is not in shadow and has no proposal: /);
    for (const query of ['?of=proposal&version=77', '?of=rule&version=77', '?version=77']) {
      expect([query, await report('in-force', query)]).toMatchObject([query, { status: 404, body: { detail: expect.stringMatching(/^Version 77 of .*rule in-force does not exist\.$/) } }]);
    }
  });

  it('parts of the time grow with it', async () => {
    const rule_id = await inShadow();
    const spans = [[2, 60], [3, 300], [24, 300], [25, 3600], [168, 3600]] as const;
    for (const [hours, seconds] of spans) expect((await report(rule_id, `?from=${new Date(Date.now() - hours * 3_600_000 + 120_000).toISOString()}`)).body).toMatchObject({ bucket_seconds: seconds });
    for (const query of ['?from=2026-01-01T00:00:00Z', '?from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z', '?from=yesterday', '?version=0', '?of=both', '?limit=0']) {
      expect([query, (await report(rule_id, query)).status]).toEqual([query, 400]);
    }
  });

  it('says how far it is complete: as far as every node has sent', async () => {
    const rule_id = await inShadow();
    await send([], { node_id: 'node-fast', complete_until: new Date(minuteMs).toISOString() });
    await send([], { node_id: 'node-slow', complete_until: new Date(minuteMs - 45_000).toISOString() });
    expect((await report(rule_id)).body['complete_until']).toBe(new Date(minuteMs - 45_000).toISOString());
    await send([], { node_id: 'node-slow', complete_until: new Date(minuteMs - 60_000).toISOString() });
    expect((await report(rule_id)).body['complete_until']).toBe(new Date(minuteMs - 45_000).toISOString());
    await send([], { node_id: 'node-slow', last: true });
    expect((await report(rule_id)).body['complete_until']).toBe(new Date(minuteMs).toISOString());
    await send([], { node_id: 'node-fast', last: true });
    expect((await report(rule_id)).body['complete_until']).toBeNull();
  });
});

describe('R58 POST /v1/shadow-counts', () => {
  it('repeats, reordering and lost answers do no harm: of each count the greatest stands', async () => {
    const rule_id = await inShadow();
    const messages = [1, 2, 3, 4, 5].map((times) => [{ rule_id, key: null, allowed: 10 * times, denied: times }, { rule_id, key: 'k', allowed: times, denied: times }]);
    const order = [3, 0, 4, 4, 1, 2, 0, 3].flatMap((at) => [messages[at] ?? []]);
    await Promise.all(order.map((counts) => send(counts)));
    expect((await report(rule_id)).body).toMatchObject({ totals: { evaluated: 55, would_refuse: 5 }, by_key: [{ key: 'k', evaluated: 10, would_refuse: 5 }] });
    expect((await send([{ rule_id, key: 'k', allowed: 2 }, { rule_id, key: 'k', denied: 9 }])).body).toEqual({ accepted: 1, ignored: 0 });
    expect((await report(rule_id)).body).toMatchObject({ by_key: [{ key: 'k', evaluated: 14, would_refuse: 9 }] });
  });

  it('counts of minutes that are long over, or lie ahead, are not taken', async () => {
    const rule_id = await inShadow();
    expect((await send([{ rule_id, key: null, allowed: 1, minute: minute(90) }, { rule_id, key: null, allowed: 1, minute: minute(-30) }, { rule_id, key: null, allowed: 1 }])).body).toEqual({ accepted: 1, ignored: 2 });
  });

  it('counts of rules that do not exist are not taken; those of a version or a proposal that is over are', async () => {
    const rule_id = await inShadow();
    const counts = ['nowhere', 'proposed:nowhere', rule_id, `proposed:${rule_id}`].map((id) => ({ rule_id: id, key: null, allowed: 1, rule_version: 7 }));
    expect((await send(counts)).body).toEqual({ accepted: 2, ignored: 2 });
    expect((await sql.query(`SELECT 1 FROM shadow_count WHERE rule_id LIKE '%nowhere'`)).rows).toEqual([]);
  });

  it('a node that counts beyond measure under many names breaks neither the sweeper nor the report', async () => {
    const rule_id = await inShadow();
    expect((await send([{ rule_id, key: null, allowed: 1e12 }])).status).toBe(200);
    expect((await send([{ rule_id, key: null, allowed: 1e12 + 1 }])).status).toBe(400);
    const rows = Array.from({ length: 1_100 }, (_, node) => `('${rule_id}', 1, '${minute(130 + (node % 2))}', '${node % 3 === 0 ? '' : 'k'}', 'many-${node}', 9007199254740991, 9007199254740991, 0)`);
    for (let round = 0; round < 2; round += 1) {
      await sql.query(`INSERT INTO shadow_count (rule_id, rule_version, starts_at, key, node_id, allowed, denied, unknown) VALUES ${rows.join(', ')}`);
      const from = new Date(minuteMs - 4 * 3_600_000).toISOString();
      expect((await report(rule_id, `?from=${from}&limit=1`)).body).toMatchObject({ by_key: [{ key: 'k', would_refuse: Number.MAX_SAFE_INTEGER }] });
      await plane.admin.app.get(Sweeper, { strict: false }).round();
      expect((await sql.query(`SELECT node_id FROM shadow_count WHERE rule_id = '${rule_id}' AND node_id LIKE 'many-%'`)).rows).toEqual([]);
    }
  });

  it.each<[object, string]>([
    [{ node_id: 'short' }, '/node_id'],
    [{ counts: [{ rule_id: 'plan:x', rule_version: 1, minute: minute(0), key: null, allowed: 1, denied: 0, unknown: 0 }] }, '/counts/0/rule_id'],
    [{ counts: [{ rule_id: 'r', rule_version: 1, minute: 'now', key: null, allowed: 1, denied: 0, unknown: 0 }] }, '/counts/0/minute'],
    [{ counts: [{ rule_id: 'r', rule_version: 1, minute: minute(0), key: '', allowed: 1, denied: 0, unknown: 0 }] }, '/counts/0/key'],
    [{ counts: [{ rule_id: 'r', rule_version: 1, minute: minute(0), key: null, allowed: -1, denied: 0, unknown: 0 }] }, '/counts/0/allowed'],
    [{ counts: 7 }, '/counts'],
    [{ last: 'yes' }, '/last'],
  ])('%j: 400 at %s', async (wrong, pointer) => {
    const answer = await send([], wrong);
    expect([answer.status, (answer.body['errors'] as { pointer: string }[])[0]?.pointer]).toEqual([400, pointer]);
  });

  it('takes no version: counts are no configuration', async () => {
    const before = (await plane.call('/v1/rules?limit=1')).body['version'];
    await send([{ rule_id: 'anything', key: null, allowed: 1 }]);
    expect((await plane.call('/v1/rules?limit=1')).body['version']).toBe(before);
  });
});

describe('R58 old counts', () => {
  it('are summed over nodes, then by the hour, then removed; the report stays the same', async () => {
    const rule_id = await inShadow();
    const rows = [1, 2, 3].flatMap((node) => [130, 131, 26 * 60, 26 * 60 + 7, 8 * 24 * 60].flatMap((minutes) => [`('${rule_id}', 1, '${minute(minutes)}', '', 'node-${node}', 10, ${node}, 1)`, `('${rule_id}', 1, '${minute(minutes)}', 'k', 'node-${node}', 5, ${node}, 0)`]));
    await sql.query(`INSERT INTO shadow_count (rule_id, rule_version, starts_at, key, node_id, allowed, denied, unknown) VALUES ${rows.join(', ')}`);
    const sums = async (): Promise<unknown> => {
      const { totals, by_key, other } = (await report(rule_id, `?from=${new Date(minuteMs - 48 * 3_600_000).toISOString()}`)).body;
      return { totals, by_key, other };
    };
    const before = await sums();
    expect(before).toMatchObject({ totals: { evaluated: 4 * 36, would_refuse: 4 * 6, unknown: 12 }, by_key: [{ key: 'k', would_refuse: 24 }] });
    await plane.admin.app.get(Sweeper, { strict: false }).round();
    expect(await sums()).toEqual(before);
    const { rows: left } = await sql.query<{ node_id: string; starts_at: Date }>('SELECT node_id, starts_at FROM shadow_count WHERE rule_id = $1', [rule_id]);
    expect(left.every(({ node_id }) => node_id === '')).toBe(true);
    // Two minutes of two hours ago, and what is left of a day ago: one hour, or two where one begins between its minutes.
    expect([6, 8]).toContain(left.length);
  });

  it('are summed while nodes send and somebody reads, and nothing is seen twice or lost', async () => {
    const rule_id = await inShadow();
    await sql.query(`INSERT INTO shadow_count SELECT '${rule_id}', 1, '${minute(125)}'::timestamptz - n * interval '1 minute', '', 'node-' || m, 1, 1, 0 FROM generate_series(0, 40) AS n, generate_series(1, 40) AS m`);
    const total = async (): Promise<unknown> => ((await report(rule_id, `?from=${minute(240)}`)).body['totals'] as { would_refuse: number }).would_refuse;
    let done = false;
    const reader = (async () => {
      const seen = new Set<unknown>();
      while (!done) seen.add(await total());
      return seen;
    })();
    await plane.admin.app.get(Sweeper, { strict: false }).round();
    await until(async () => (await sql.query(`SELECT 1 FROM shadow_count WHERE rule_id = $1 AND node_id <> ''`, [rule_id])).rowCount === 0);
    done = true;
    expect([...(await reader)]).toEqual([41 * 40]);
  });
});
