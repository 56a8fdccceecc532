import { snapshotChecksum, type Snapshot } from '@sluice/rules';
import { type PostgresServer, startPostgres } from '@sluice/testkit';
import { type Answer, type ControlPlane, startControlPlane, until } from './control-plane.js';

const RULE = { limit: 5, window_seconds: 1 };

let postgres: PostgresServer;
let plane: ControlPlane;
beforeEach(async () => {
  postgres = await startPostgres();
  plane = await startControlPlane({ databaseUrl: postgres.url });
  await plane.put('/v1/rules/a', { ...RULE, endpoint: '/a' });
  await plane.put('/v1/rules/b', { ...RULE, endpoint: '/b' });
}, 60_000);
afterEach(async () => {
  postgres.resume();
  await plane.close();
  await postgres.stop();
});

const poll = (etag?: string | null, since?: number): Promise<Answer> => plane.call(`/v1/snapshot${since === undefined ? '' : `?since=${since}`}`, etag == null ? {} : { ifNoneMatch: etag });

const staleSecondsOf = (answer: Answer): number => Number(answer.headers.get('sluice-stale') ?? Number.NaN);

async function staleAnswers(): Promise<number> {
  const { text } = await plane.call('/metrics', { token: null });
  return Number(/^sluice_snapshot_stale_answers_total\{[^}]*\} (\d+)$/m.exec(text)?.[1]);
}

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const startMs = performance.now();
  return [await work, performance.now() - startMs];
}

/** What nodes get while the database is away. */
async function expectServedStale(before: Answer): Promise<void> {
  const version = before.body['version'] as number;
  const held = await poll(before.etag, version);
  expect([held.status, held.etag, held.headers.get('sluice-epoch')]).toEqual([304, before.etag, before.headers.get('sluice-epoch')]);
  expect(staleSecondsOf(held)).toBeGreaterThanOrEqual(1);
  const whole = await poll();
  expect([whole.status, whole.text, whole.etag]).toEqual([200, before.text, before.etag]);
  expect(snapshotChecksum(whole.body as unknown as Snapshot)).toBe(whole.headers.get('sluice-checksum'));
  expect(staleSecondsOf(whole)).toBeGreaterThanOrEqual(1);
  const delta = await poll(null, version - 1);
  expect([delta.headers.get('sluice-snapshot'), (delta.body['rules'] as { rule_id: string }[]).map(({ rule_id }) => rule_id)]).toEqual(['delta', ['b']]);
  expect(staleSecondsOf(delta)).toBeGreaterThanOrEqual(1);
}

async function expectFresh(etag: string | null): Promise<void> {
  const held = await poll(etag);
  expect([held.status, held.headers.get('sluice-stale')]).toEqual([304, null]);
  expect((await plane.put('/v1/rules/a', { ...RULE, endpoint: '/a', limit: 6 }, { ifMatch: '*' })).status).toBe(200);
  const changed = await poll(etag);
  expect([changed.status, changed.headers.get('sluice-stale'), (changed.body['rules'] as unknown[])[0]]).toEqual([200, null, expect.objectContaining({ rule_id: 'a', limit: 6 })]);
}

describe('R43 R54 PostgreSQL is away: nodes go on getting the last snapshot', () => {
  it('killed and restarted: served from memory and marked; writes are 503, /readyz says why and what nodes get; it heals by itself', async () => {
    const before = await poll();
    await postgres.kill();
    const counted = await staleAnswers();
    await expectServedStale(before);
    expect(await staleAnswers()).toBe(counted + 3);
    expect((await plane.put('/v1/rules/c', RULE)).status).toBe(503);
    const readyz = await plane.call('/readyz', { token: null });
    expect([readyz.status, readyz.body['checks']]).toEqual([
      503,
      expect.objectContaining({ database: { ok: false, detail: expect.stringContaining('does not answer') }, snapshot: { ok: true, detail: expect.stringContaining(`version ${String(before.body['version'])}`) } }),
    ]);
    const first = staleSecondsOf(await poll(before.etag));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(staleSecondsOf(await poll(before.etag))).toBeGreaterThan(first);
    await postgres.restart();
    await until(async () => (await poll(before.etag)).headers.get('sluice-stale') === null, 30_000);
    await until(async () => (await plane.call('/readyz', { token: null })).status === 200, 30_000);
    await expectFresh(before.etag);
  }, 60_000);

  it('paused: the first poll waits for a second or so, those after it hardly; with the first answer of the database they are up to date again', async () => {
    const before = await poll();
    postgres.pause();
    const [first, firstMs] = await timed(poll(before.etag));
    expect([first.status, first.headers.has('sluice-stale'), firstMs < 3_000]).toEqual([304, true, true]);
    for (let round = 0; round < 5; round += 1) {
      const [answers, tookMs] = await timed(Promise.all(Array.from({ length: 50 }, () => poll(before.etag))));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([304]));
      expect(tookMs).toBeLessThan(1_500);
    }
    await expectServedStale(before);
    postgres.resume();
    await until(async () => (await poll(before.etag)).headers.get('sluice-stale') === null, 10_000);
    await expectFresh(before.etag);
  }, 60_000);

  it('who holds a newer version than this process knows keeps it', async () => {
    const other = await startControlPlane({ databaseUrl: postgres.url });
    await plane.put('/v1/rules/c', { ...RULE, endpoint: '/c' });
    const newer = await poll();
    const older = await other.call('/v1/snapshot');
    expect(older.etag).toBe(newer.etag);
    await plane.put('/v1/rules/c', { ...RULE, endpoint: '/c', limit: 9 }, { ifMatch: '*' });
    const newest = await poll();
    await postgres.kill();
    const held = await other.call('/v1/snapshot', { ifNoneMatch: newest.etag ?? '' });
    expect([held.status, held.etag, held.headers.has('sluice-stale')]).toEqual([304, newest.etag, true]);
    const behind = await other.call('/v1/snapshot', { ifNoneMatch: '"s1-0123456789ab"' });
    expect([behind.status, behind.etag]).toEqual([200, older.etag]);
    await other.close();
  }, 60_000);

  it('a token that is not valid is refused as ever', async () => {
    const { etag } = await poll();
    await postgres.kill();
    expect((await plane.call('/v1/snapshot', { ifNoneMatch: etag ?? '', token: 'no-such-token' })).status).toBe(401);
  }, 60_000);
});
