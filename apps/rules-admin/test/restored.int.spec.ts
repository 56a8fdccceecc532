import { snapshotChecksum, type Snapshot } from '@sluice/rules';
import { createSnapshotClient, type SnapshotClient } from '@sluice/snapshot-client';
import { type PostgresServer, sharedPostgres, startPostgres, type TestDatabase } from '@sluice/testkit';
import { type Answer, type ControlPlane, startControlPlane, TOKEN, until } from './control-plane.js';
import { becomeStandby, promote, restorableDatabase, restorableFiles } from './restoring.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function plane(databaseUrl: string): Promise<ControlPlane> {
  const started = await startControlPlane({ databaseUrl });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= started.close());
  closers.push(close);
  return { ...started, close };
}

async function database(): Promise<TestDatabase> {
  const made = await sharedPostgres();
  closers.push(() => made.drop());
  return made;
}

async function server(): Promise<PostgresServer> {
  const started = await startPostgres();
  closers.push(() => started.stop());
  return started;
}

/** Writes rules, waiting for connections that a restore cut. */
async function write(of: ControlPlane, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    let answer: Answer | undefined;
    await until(async () => (answer = await of.put(`/v1/rules/${id}`, { limit: 5, window_seconds: 1, endpoint: `/${id}` })).status !== 503, 30_000);
    expect(answer?.status).toBe(201);
  }
}

/** The snapshot as the database has it now. */
async function fresh(of: ControlPlane, etag?: string | null, since?: number): Promise<Answer> {
  let answer: Answer | undefined;
  await until(async () => {
    answer = await of.call(`/v1/snapshot${since === undefined ? '' : `?since=${since}`}`, etag == null ? {} : { ifNoneMatch: etag });
    return answer.status < 400 && answer.headers.get('sluice-stale') === null;
  }, 30_000);
  if (answer === undefined) throw new Error('There was no answer.');
  return answer;
}

const idsOf = (rules: unknown): readonly string[] => (rules as Snapshot['rules']).map(({ rule_id }) => rule_id).sort();

/** Whole, and with the rules that the API lists: no mixture of two histories. */
async function expectRules(of: ControlPlane, ids: readonly string[]): Promise<Answer> {
  const whole = await fresh(of);
  expect([whole.status, idsOf(whole.body['rules'])]).toEqual([200, [...ids].sort()]);
  expect(snapshotChecksum(whole.body as unknown as Snapshot)).toBe(whole.headers.get('sluice-checksum'));
  expect(idsOf((await of.call('/v1/rules')).body['rules'])).toEqual([...ids].sort());
  return whole;
}

/** A node, and what it has. */
async function node(of: ControlPlane): Promise<{ readonly client: SnapshotClient; ids(): readonly string[] }> {
  let held: Snapshot | undefined;
  const client = createSnapshotClient({ url: of.url, token: TOKEN, pollMs: 200, onSnapshot: (_index, snapshot) => void (held = snapshot) });
  closers.push(() => client.close());
  await client.start();
  return { client, ids: () => idsOf(held?.rules ?? []) };
}

const restoredTotal = async (of: ControlPlane): Promise<number> => Number(/^sluice_database_restored_total\{[^}]*\} (\d+)$/m.exec((await of.call('/metrics', { token: null })).text)?.[1]);

describe('R54 the database is restored from a backup beside, under control planes that go on', () => {
  it('nodes of two replicas converge on what was restored, in one epoch and without a hand; so do the writes after it', async () => {
    const { url } = await database();
    const [a, b] = [await plane(url), await plane(url)];
    await write(a, 'base');
    const { backUp, restore } = restorableDatabase(url);
    await backUp();
    await write(a, 'lost', 'lost2', 'lost3');
    const nodes = [await node(a), await node(b)];
    const before = await fresh(b);
    await fresh(a);
    await restore();
    for (const { ids } of nodes) await until(() => ids().join() === 'base', 30_000);
    await write(b, 'n1', 'n2', 'n3', 'n4');
    const [ofA, ofB] = [await expectRules(a, ['base', 'n1', 'n2', 'n3', 'n4']), await expectRules(b, ['base', 'n1', 'n2', 'n3', 'n4'])];
    for (const { ids } of nodes) await until(() => ids().join() === 'base,n1,n2,n3,n4');
    expect([ofA.text, ofA.etag, ofA.headers.get('sluice-epoch')]).toEqual([ofB.text, ofB.etag, ofB.headers.get('sluice-epoch')]);
    expect(ofA.headers.get('sluice-epoch')).not.toBe(before.headers.get('sluice-epoch'));
    expect((await restoredTotal(a)) + (await restoredTotal(b))).toBe(1);
    expect(nodes.map(({ client }) => client.status().refusal)).toEqual([undefined, undefined]);
  }, 90_000);

  it('so do nodes of one that was stopped meanwhile, and has as many versions again before they ask', async () => {
    const { url } = await database();
    const first = await plane(url);
    await write(first, 'base');
    const { backUp, restore } = restorableDatabase(url);
    await backUp();
    await write(first, 'lost');
    const held = await fresh(first);
    await first.close();
    await restore();
    const next = await plane(url);
    await write(next, 'other');
    const answer = await fresh(next, held.etag, held.body['version'] as number);
    expect([answer.status, answer.headers.get('sluice-snapshot'), answer.body['version'], idsOf(answer.body['rules'])]).toEqual([200, 'whole', held.body['version'], ['base', 'other']]);
  }, 90_000);
});

describe('R54 the files of the database are put back in place, so that nothing in it tells', () => {
  it.each([
    ['before there are as many versions again', ['n1']],
    ['with as many versions', ['n1', 'n2', 'n3']],
    ['with more versions', ['n1', 'n2', 'n3', 'n4']],
  ])('a control plane that goes on notices, %s', async (_when, writes) => {
    const postgres = await server();
    const a = await plane(postgres.url);
    await write(a, 'base');
    const { backUp, restore } = restorableFiles(postgres);
    await backUp();
    await write(a, 'lost', 'lost2', 'lost3');
    const held = await fresh(a);
    await restore();
    await write(a, ...writes);
    const answer = await fresh(a, held.etag, held.body['version'] as number);
    expect([answer.status, answer.headers.get('sluice-snapshot'), idsOf(answer.body['rules'])]).toEqual([200, 'whole', ['base', ...writes]]);
    expect(answer.headers.get('sluice-epoch')).not.toBe(held.headers.get('sluice-epoch'));
    await expectRules(a, ['base', ...writes]);
    expect(await restoredTotal(a)).toBe(1);
  }, 90_000);

  it('one that was stopped meanwhile learns of it by the versions that its nodes hold', async () => {
    const postgres = await server();
    const first = await plane(postgres.url);
    await write(first, 'base');
    const { backUp, restore } = restorableFiles(postgres);
    await backUp();
    await write(first, 'lost', 'lost2');
    const held = await fresh(first);
    await first.close();
    await restore();
    const next = await plane(postgres.url);
    await write(next, 'n1');
    const answer = await fresh(next, held.etag, held.body['version'] as number);
    expect([answer.headers.get('sluice-snapshot'), idsOf(answer.body['rules'])]).toEqual(['whole', ['base', 'n1']]);
    const { headers } = answer;
    expect(headers.get('sluice-epoch')).not.toBe(held.headers.get('sluice-epoch'));
    // Whoever shows versions that never were can do so once.
    const lie = await fresh(next, `"s999-${headers.get('sluice-epoch') ?? ''}"`);
    expect([lie.headers.get('sluice-epoch'), await restoredTotal(next)]).toEqual([headers.get('sluice-epoch'), 1]);
  }, 90_000);
});

describe('R54 another server takes over', () => {
  it('a standby, which may lag, is no database to be up to date by; promoted, it is another one', async () => {
    const postgres = await server();
    const a = await plane(postgres.url);
    await write(a, 'base');
    const held = await fresh(a);
    await becomeStandby(postgres);
    const stale = await a.call('/v1/snapshot', { ifNoneMatch: held.etag ?? '' });
    expect([stale.status, stale.headers.has('sluice-stale')]).toEqual([304, true]);
    await promote(postgres);
    const answer = await fresh(a, held.etag);
    expect([answer.status, answer.headers.get('sluice-epoch') === held.headers.get('sluice-epoch')]).toEqual([200, false]);
    await write(a, 'next');
    await expectRules(a, ['base', 'next']);
  }, 90_000);

  it('a start of the same server is none: nodes fetch nothing anew', async () => {
    const postgres = await server();
    const a = await plane(postgres.url);
    await write(a, 'base');
    const held = await fresh(a);
    await postgres.kill();
    await postgres.restart();
    expect((await fresh(a, held.etag)).status).toBe(304);
    await a.close();
    expect((await fresh(await plane(postgres.url), held.etag)).status).toBe(304);
  }, 90_000);
});
