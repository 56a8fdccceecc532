import { setTimeout as sleep } from 'node:timers/promises';
import { createSnapshotClient, type SnapshotClient } from '@sluice/snapshot-client';
import { sharedPostgres, type TestDatabase } from '@sluice/testkit';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { endPrograms } from './support/program.js';
import { spread } from './support/quantile.js';
import { ADMIN_TOKEN, type RulesAdminProcess, startRulesAdmin } from './support/rules-admin.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 90_000;
const NODES = 20;

describe('R55 a push that is lost', () => {
  let database: TestDatabase;
  let admin: RulesAdminProcess;
  let nodes: SnapshotClient[];

  beforeAll(async () => {
    await buildApps();
    database = await sharedPostgres();
    // Without Kafka nothing that it announces reaches another process.
    admin = await startRulesAdmin(database.url);
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await endPrograms();
    await database.drop();
  }, TIMEOUT_MS);

  it('is covered within a minute by the poll of each node, as it is unless told otherwise: 24 to 30 s apart', async () => {
    const appliedAtMs = new Map<number, number>();
    nodes = Array.from({ length: NODES }, (_, index) => createSnapshotClient({ url: admin.url, token: ADMIN_TOKEN, onSnapshot: () => void appliedAtMs.set(index, performance.now()) }));
    await Promise.all(nodes.map((node) => node.start()));
    const startedMs = performance.now();
    // The worst moment: right after all of them have asked.
    await sleep(200);
    expect((await admin.api.put('/v1/rules/lost', { limit: 5, window_seconds: 1 }, { 'if-none-match': '*' })).status).toBe(201);
    const committedMs = performance.now();
    appliedAtMs.clear();
    await until(async () => appliedAtMs.size === NODES, 60_000);
    const tookMs = [...appliedAtMs.values()].map((atMs) => atMs - committedMs);
    process.stdout.write(`R55: without the push a change took ${spread(tookMs)} to ${NODES} nodes that poll every 30 s less up to a fifth\n`);
    expect(Math.max(...tookMs)).toBeLessThan(32_000);
    expect(Math.min(...appliedAtMs.values()) - startedMs).toBeGreaterThan(22_000);
    for (const node of nodes) expect(node.status().polls.requests).toBe(2);
  }, TIMEOUT_MS);
});
