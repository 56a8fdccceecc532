import { type Snapshot, snapshotChecksum } from '@sluice/rules';
import { sharedPostgres, type TestDatabase } from '@sluice/testkit';
import type { Answer } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { replayChangeLog } from './support/change-log.js';
import { type Polled, poll } from './support/poller.js';
import { endPrograms } from './support/program.js';
import { type RulesAdminProcess, startRulesAdmin } from './support/rules-admin.js';

const TIMEOUT_MS = 90_000;
const POLLERS = 50;
const TRAFFIC_MS = 6_000;

describe('R54 fifty pollers, eight writers, two control planes', () => {
  let database: TestDatabase;
  let admins: RulesAdminProcess[];

  beforeAll(async () => {
    await buildApps();
    database = await sharedPostgres();
    // One after the other: the second finds the schema done.
    admins = [await startRulesAdmin(database.url)];
    admins.push(await startRulesAdmin(database.url));
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    await database.drop();
  }, TIMEOUT_MS);

  /** One request of a writer, by one of the control planes. @throws Error when it is refused */
  async function send(writer: number, method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object, headers: Readonly<Record<string, string>> = { 'if-match': '*' }): Promise<Answer> {
    const api = admins[writer % admins.length]?.api;
    if (api === undefined) throw new Error('there is no control plane');
    const answer = await (method === 'PUT' ? api.put(path, body ?? {}, headers) : api.send(method, path, body, headers));
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }
  const create = { 'if-none-match': '*' };
  const rule = (writer: number, id: string, limit: number): object => ({ plan: `plan-${writer}`, endpoint: `/${id}`, limit, window_seconds: 60 });

  /** Writes on and on, and counts the versions that nodes have to know. */
  async function write(writer: number, running: () => boolean): Promise<number> {
    const [stays, comesAndGoes, key] = [`stays-${writer}`, `goes-${writer}`, `key-${writer}`];
    await send(writer, 'PUT', `/v1/plans/plan-${writer}`, { name: 'one' }, create);
    await send(writer, 'PUT', `/v1/rules/${stays}`, rule(writer, stays, 1), create);
    await send(writer, 'PUT', `/v1/tenants/tenant-${writer}`, { name: 'One', plan_id: `plan-${writer}` }, create);
    await send(writer, 'POST', '/v1/keys', { tenant_id: `tenant-${writer}`, name: 'One', key_id: key });
    let writes = 2;
    for (let round = 2; running(); round += 1) {
      await send(writer, 'PUT', `/v1/rules/${stays}`, rule(writer, stays, round));
      await send(writer, 'PUT', `/v1/rules/${comesAndGoes}`, rule(writer, comesAndGoes, round), create);
      const override = { key_id: key, rule_id: stays, limit: 1_000 + round, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
      const { override_id } = (await send(writer, 'POST', '/v1/overrides', override, { 'idempotency-key': `${writer}-${round}` })).json() as { override_id: string };
      await send(writer, 'PUT', `/v1/plans/plan-${writer}`, { name: `round ${round}`, default_limit: { limit: round, window_seconds: 1 } });
      await send(writer, 'DELETE', `/v1/rules/${comesAndGoes}`);
      if (round % 2 === 0) await send(writer, 'DELETE', `/v1/overrides/${override_id}`);
      writes += round % 2 === 0 ? 6 : 5;
    }
    return writes;
  }

  /** Changes all rules, and adds one, in one version. */
  async function applySet(): Promise<void> {
    const { version, rules } = (await admins[0]?.api.get('/v1/snapshot'))?.json() as Snapshot;
    const set = [...rules.map(({ version: _version, ...each }) => ({ ...each, limit: each.limit + 1 })), { rule_id: 'of-the-set', limit: 3, window_seconds: 1 }];
    await send(0, 'POST', '/v1/rules:apply', { base_version: version, rules: set }, {});
  }

  it('no poller misses a change, goes back, or holds anything but what the log says of its version', async () => {
    const endsAtMs = Date.now() + TRAFFIC_MS;
    let writing = true;
    const polling = Array.from({ length: POLLERS }, () => poll(admins.map(({ url }) => url), () => writing));
    const written = await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer, () => Date.now() < endsAtMs))).then(async (counts) => {
      await applySet();
      return counts;
    }).finally(() => (writing = false));
    const writes = written.reduce((sum, each) => sum + each, 1);
    const pollers: readonly Polled[] = await Promise.all(polling);
    const log = await replayChangeLog(database.url);
    const truth = new Map([...log].map(([version, snapshot]) => [version, snapshotChecksum(snapshot)]));
    const last = Math.max(...truth.keys());
    expect(pollers.flatMap(({ faults }) => faults)).toEqual([]);
    const wrong = pollers.flatMap(({ states }) => [...states].filter(([version, checksum]) => truth.get(version) !== checksum).map(([version]) => version));
    expect(wrong).toEqual([]);
    expect(pollers.map(({ states }) => [...states.keys()].at(-1))).toEqual(pollers.map(() => last));
    const seen = new Set(pollers.flatMap(({ states }) => [...states.keys()]));
    const sum = (what: keyof Polled['polls']): number => pollers.reduce((total, { polls }) => total + polls[what], 0);
    process.stdout.write(`R54: ${writes} writes, ${truth.size} versions for nodes, ${seen.size} of them met by some of ${POLLERS} pollers; ${sum('delta')} deltas, ${sum('whole')} whole, ${sum('unchanged')} unchanged\n`);
    // The log begins with version 0, as the migration found it.
    expect(truth.size).toBe(writes + 1);
    expect(sum('delta')).toBeGreaterThan(200);
  }, TIMEOUT_MS);
});
