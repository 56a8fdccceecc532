import { snapshotChecksum } from '@sluice/rules';
import { sharedPostgres, type TestDatabase } from '@sluice/testkit';
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

  /** Writes on and on by one of the control planes, and counts what was done. */
  async function write(writer: number, running: () => boolean): Promise<number> {
    const send = async (method: 'PUT' | 'DELETE', path: string, body?: object, headers: Readonly<Record<string, string>> = { 'if-match': '*' }): Promise<void> => {
      const { api } = admins[writer % admins.length] ?? { api: undefined };
      const answer = method === 'PUT' ? await api?.put(path, body ?? {}, headers) : await api?.send(method, path, body, headers);
      if (answer === undefined || answer.status >= 300) throw new Error(`${method} ${path}: ${answer?.status} ${answer?.text}`);
    };
    const create = { 'if-none-match': '*' };
    const rule = (id: string, limit: number): object => ({ plan: `plan-${writer}`, endpoint: `/${id}`, limit, window_seconds: 60 });
    const [stays, comesAndGoes] = [`stays-${writer}`, `goes-${writer}`];
    await send('PUT', `/v1/plans/plan-${writer}`, { name: 'one' }, create);
    await send('PUT', `/v1/rules/${stays}`, rule(stays, 1), create);
    let writes = 2;
    for (let round = 2; running(); round += 1) {
      await send('PUT', `/v1/rules/${stays}`, rule(stays, round));
      await send('PUT', `/v1/rules/${comesAndGoes}`, rule(comesAndGoes, round), create);
      await send('PUT', `/v1/plans/plan-${writer}`, { name: `round ${round}`, default_limit: { limit: round, window_seconds: 1 } });
      await send('DELETE', `/v1/rules/${comesAndGoes}`);
      writes += 4;
    }
    return writes;
  }

  it('no poller misses a change, goes back, or holds anything but what the log says of its version', async () => {
    const endsAtMs = Date.now() + TRAFFIC_MS;
    let writing = true;
    const polling = Array.from({ length: POLLERS }, () => poll(admins.map(({ url }) => url), () => writing));
    const written = await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer, () => Date.now() < endsAtMs))).finally(() => (writing = false));
    const writes = written.reduce((sum, each) => sum + each, 0);
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
