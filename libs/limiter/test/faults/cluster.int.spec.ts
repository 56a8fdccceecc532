import { setTimeout as sleep } from 'node:timers/promises';
import { slotMove, slotPlace, startRedisCluster, type RedisCluster, type RedisServer } from '@sluice/testkit';
import { keySlot } from '@sluice/lua-scripts';
import { Redis } from 'ioredis';
import { keysTogether, spreadKeys, type ClusterKeys } from './support/cluster-keys.js';
import { expectChargedOnce, expectFallback, expectLateReturned, expectLittleLost, expectSound, expectWithinLimit, NOISE, oneLeaseEach, share } from './support/expect-report.js';
import { runFault, type FaultReport } from './support/run-fault.js';
import { isTroubled } from './support/sample.js';
import { FAULT_TEST_MS, scaled } from './support/scale.js';
import { STREAMS } from './support/streams.js';

const OPEN_MS = 30_000;
/** The first two of {@link spreadKeys} are on the part that the fault is about. */
const AFFECTED = 2;

/** Every key whose primary was not touched had its store throughout. */
function expectOthersUntouched({ samples }: FaultReport): void {
  expect(share(samples.filter(({ key }) => key >= AFFECTED), isTroubled)).toBeLessThan(NOISE);
}

async function configure(nodes: readonly RedisServer[], ...setting: [string, string]): Promise<void> {
  for (const { url } of nodes) {
    const redis = new Redis(url);
    await redis.config('SET', ...setting);
    redis.disconnect();
  }
}

describe('R40 R42 a cluster', () => {
  let cluster: RedisCluster;
  let place: ClusterKeys;
  afterEach(() => cluster.stop());
  const open = async (nodeTimeoutMs: number, choose = spreadKeys): Promise<void> => {
    cluster = await startRedisCluster({ nodeTimeoutMs });
    place = await choose(cluster);
  };
  const replicaOf = ({ port }: RedisServer): RedisServer | undefined => {
    const at = cluster.nodes.findIndex((node) => node.port === port);
    return cluster.nodes[at + 3];
  };

  it('resharding of a slot in use, to a primary that no node is connected to: ASK, TRYAGAIN and MOVED are followed', async () => {
    await open(15_000, keysTogether);
    const { keys, part, others, slot } = place;
    // The heartbeats of the fleet have a key of their own.
    const { owner: heart } = await slotPlace(cluster, keySlot('s{nodes}'));
    const to = others.find((server) => server !== heart) ?? part;
    const move = slotMove(slot, part, to);
    let moved = 0;
    const report = await runFault({
      name: `a slot moves within ${scaled(0.8)} s (ASK, TRYAGAIN, MOVED)`,
      url: cluster.url,
      keys,
      async happen() {
        await move.begin();
        for (let step = 0; step < 4; step += 1) {
          await sleep(scaled(200));
          moved += await move.moveKeys(1);
        }
        await move.finish();
      },
    });
    expect(moved).toBeGreaterThan(1);
    expectSound(report);
    expectWithinLimit(report);
    // Only a call for keys of which some are here and some there cannot be served meanwhile, and the server is not given up for it.
    const single = report.samples.filter(({ stream }) => STREAMS[stream]?.name !== 'pair');
    expect(share(single, isTroubled)).toBeLessThan(NOISE);
    expectChargedOnce(report);
    expect(report.doubled).toBe(0);
    expect((await slotPlace(cluster, slot)).owner).toBe(to);
  }, FAULT_TEST_MS + OPEN_MS);

  it('a part that hangs is left alone by itself: the others go on, and nobody waits for it again and again', async () => {
    await open(60_000);
    const { keys, part } = place;
    const report = await runFault({
      name: `one of three primaries stopped for ${scaled(1)} s`,
      url: cluster.url,
      keys,
      async happen() {
        part.pause();
        await sleep(scaled(1000));
        part.resume();
      },
    });
    expectSound(report);
    expectFallback(report);
    expectWithinLimit(report);
    expectOthersUntouched(report);
    const waited = report.samples.filter((sample) => isTroubled(sample) && sample.tookMs > 40);
    // Until the breaker opens: what was asked in the first 50 ms and five trips; then two probes a second.
    expect(waited.length / report.nodes.length).toBeLessThan(25 + 3 * scaled(1));
    expectLateReturned(report);
    expect(report.doubled).toBe(0);
    expect(report.recoveredMs).toBeLessThan(2500);
  }, FAULT_TEST_MS + OPEN_MS);

  it('a part that is lost with its replica: the others go on', async () => {
    await open(1_000);
    const { keys, part } = place;
    await configure(cluster.nodes, 'cluster-require-full-coverage', 'no');
    const lost = [part, replicaOf(part)].flatMap((server) => server ?? []);
    const report = await runFault({
      name: `one of three primaries and its replica killed, back after ${scaled(1.2)} s`,
      url: cluster.url,
      keys,
      async happen({ countersLost }) {
        for (const server of lost) await server.kill();
        countersLost(AFFECTED);
        await sleep(scaled(1200));
        for (const server of lost) await server.restart();
        await configure(lost, 'cluster-require-full-coverage', 'no');
      },
    });
    expectSound(report);
    expectFallback(report);
    expectOthersUntouched(report);
    expectLittleLost(report);
    expect(report.doubled).toBeLessThanOrEqual(oneLeaseEach(report));
    expect(report.recoveredMs).toBeLessThan(8_000);
  }, FAULT_TEST_MS + OPEN_MS);

  it('a primary that is killed: its replica takes over', async () => {
    await open(1_000);
    const { keys, part, slot } = place;
    await configure(cluster.nodes, 'cluster-require-full-coverage', 'no');
    const report = await runFault({
      name: 'one of three primaries killed, its replica takes over',
      url: cluster.url,
      directUrls: cluster.urls.filter((url) => url !== part.url),
      keys,
      async happen() {
        await part.kill();
        await untilOwnedByAnother(cluster, slot, part);
      },
    });
    expectSound(report);
    expectFallback(report);
    expectOthersUntouched(report);
    expectLittleLost(report);
    expect(report.doubled).toBeLessThanOrEqual(oneLeaseEach(report));
    expect(report.recoveredMs).toBeLessThan(5_000);
  }, FAULT_TEST_MS + OPEN_MS);

  it('CLUSTERDOWN: a primary is killed and the others refuse all, as they do by default, until its replica takes over', async () => {
    await open(1_000);
    const { keys, part, slot } = place;
    const report = await runFault({
      name: 'one of three primaries killed, full coverage required',
      url: cluster.url,
      directUrls: cluster.urls.filter((url) => url !== part.url),
      keys,
      async happen() {
        await part.kill();
        await untilOwnedByAnother(cluster, slot, part);
      },
    });
    expectSound(report);
    expectFallback(report);
    expectLittleLost(report);
    expect(report.doubled).toBeLessThanOrEqual(oneLeaseEach(report));
    expect(report.recoveredMs).toBeLessThan(5_000);
  }, FAULT_TEST_MS + OPEN_MS);

  it('a primary that hangs: its replica takes over, and nobody goes on asking the one that hangs', async () => {
    await open(1_000);
    const { keys, part, slot } = place;
    const report = await runFault({
      name: 'one of three primaries stopped, its replica takes over',
      url: cluster.url,
      directUrls: cluster.urls.filter((url) => url !== part.url),
      keys,
      async happen() {
        part.pause();
        await untilOwnedByAnother(cluster, slot, part);
      },
    });
    expectSound(report);
    expectFallback(report);
    expectLittleLost(report);
    expect(report.doubled).toBeLessThanOrEqual(oneLeaseEach(report));
    expect(report.recoveredMs).toBeLessThan(5_000);
  }, FAULT_TEST_MS + OPEN_MS);
});

/** By what one of the others says. */
async function untilOwnedByAnother(cluster: RedisCluster, slot: number, gone: RedisServer): Promise<void> {
  const nodes = cluster.nodes.filter((node) => node !== gone);
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
    const owner = await slotPlace({ ...cluster, nodes }, slot).catch(() => undefined);
    if (owner !== undefined) return;
  }
  throw new Error('no replica took over');
}
