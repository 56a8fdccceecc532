import { sharedPostgres } from '@sluice/testkit';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';

let database: Awaited<ReturnType<typeof sharedPostgres>>;
let planes: readonly [ControlPlane, ControlPlane];
beforeAll(async () => {
  database = await sharedPostgres();
  planes = [await startControlPlane({ databaseUrl: database.url }), await startControlPlane({ databaseUrl: database.url })];
  const [plane] = planes;
  await plane.put('/v1/plans/free', {});
  await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
  await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'A', key_id: 'k1' } });
  await plane.put('/v1/rules/raced', { limit: 1, window_seconds: 1 });
}, 60_000);
afterAll(async () => {
  await Promise.all(planes.map((plane) => plane.close()));
  await database.drop();
});

/** Two editors who saw the same version, each at a control plane of his own, at the same moment. */
async function race(edit: (plane: ControlPlane, editor: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(planes.map(edit));
}

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();

async function globalVersion(): Promise<number> {
  return (await planes[0].call('/v1/rules?limit=1')).body['version'] as number;
}

describe('R51 two editors race, at two control planes on one database', () => {
  it('one 200, one 412, over 1,000 rounds; the version rises by one a round, and what it says is what the winner wrote', async () => {
    const before = await globalVersion();
    const written: number[] = [];
    for (let round = 1; round <= 1_000; round += 1) {
      const answers = await race((plane, editor) => plane.put('/v1/rules/raced', { limit: round * 2 + editor, window_seconds: 1 }, { ifMatch: `"v${round}"` }));
      expect([round, statuses(answers)]).toEqual([round, [200, 412]]);
      const winner = answers.findIndex(({ status }) => status === 200);
      written.push(round * 2 + winner);
      expect(answers[winner]?.etag).toBe(`"v${round + 1}"`);
      expect(answers[1 - winner]?.body).toMatchObject({ type: 'urn:sluice:problem:version-mismatch', current_version: round + 1, current_etag: `"v${round + 1}"` });
    }
    expect(await globalVersion()).toBe(before + 1_000);
    const log = (await planes[0].call('/v1/rules/raced/history?limit=1000')).body['entries'] as { from_version: number; to_version: number; after: { limit: number } }[];
    expect(log.map(({ from_version, to_version, after }) => [from_version, to_version, after.limit])).toEqual(Array.from({ length: 1_000 }, (_, n) => [1_000 - n, 1_001 - n, written[999 - n]]));
  }, 300_000);

  it('one creates, one is told that it exists, 50 times; one deletes, the other finds nothing', async () => {
    for (let round = 0; round < 50; round += 1) {
      const created = await race((plane, editor) => plane.put('/v1/rules/new', { limit: 1 + editor, window_seconds: 1, policy: 'new' }));
      expect(statuses(created)).toEqual([201, 412]);
      const deleted = await race((plane) => plane.call('/v1/rules/new', { method: 'DELETE', ifMatch: `"v${round + 1}"` }));
      expect(statuses(deleted)).toEqual([204, 404]);
    }
  }, 60_000);

  it('a change against a deletion: one of them holds, 50 times', async () => {
    let version = ((await planes[0].put('/v1/rules/both', { limit: 1, window_seconds: 1, policy: 'both' })).body['version'] ?? 0) as number;
    for (let round = 0; round < 50; round += 1) {
      const [changed, deleted] = await race((plane, editor) =>
        editor === 0 ? plane.put('/v1/rules/both', { limit: 2 + round, window_seconds: 1, policy: 'both' }, { ifMatch: `"v${version}"` }) : plane.call('/v1/rules/both', { method: 'DELETE', ifMatch: `"v${version}"` }),
      );
      expect([[200, 412], [412, 204]]).toContainEqual([changed?.status, deleted?.status]);
      if (deleted?.status === 204) await planes[0].put('/v1/rules/both', { limit: 1, window_seconds: 1, policy: 'both' });
      version += 1;
      expect((await planes[1].call('/v1/rules/both')).etag).toBe(`"v${version}"`);
    }
  }, 60_000);

  it('PATCH of a key, PATCH of an override, roll-back: one 200, one 412, 50 times', async () => {
    const override = await planes[0].call('/v1/overrides', { method: 'POST', json: { key_id: 'k1', rule_id: 'raced', limit: 5, expires_at: new Date(Date.now() + 600_000).toISOString() }, headers: { 'idempotency-key': 'o' } });
    const path = `/v1/overrides/${String(override.body['override_id'])}`;
    for (let round = 1; round <= 50; round += 1) {
      const ifMatch = `"v${round}"`;
      expect(statuses(await race((plane, editor) => plane.call('/v1/keys/k1', { method: 'PATCH', json: { name: `${round} ${editor}` }, ifMatch })))).toEqual([200, 412]);
      expect(statuses(await race((plane, editor) => plane.call(path, { method: 'PATCH', json: { limit: 10 + round * 2 + editor }, ifMatch })))).toEqual([200, 412]);
      const raced = `"v${1_000 + round}"`;
      expect(statuses(await race((plane, editor) => plane.call('/v1/rules/raced:rollback', { method: 'POST', json: { version: round * 2 + editor }, ifMatch: raced })))).toEqual([200, 412]);
    }
  }, 60_000);
});
