import { type ControlPlane, settled, snapshotAt, startControlPlane } from '../test/control-plane.js';
import { createSnapshotClient, type SnapshotClient } from './snapshot-client.js';
import type { SnapshotClientOptions } from './snapshot-client-options.js';

/** Long enough that no poll comes by itself. */
const NEVER_MS = 3_600_000;
/** 100 to 3,200 ms. */
const CHASE_MS = 6_300;

describe('R55 a push that lies', () => {
  let plane: ControlPlane;
  let client: SnapshotClient;
  let versions: number[];

  beforeEach(async () => {
    plane = await startControlPlane(snapshotAt(5));
    versions = [];
  });
  afterEach(async () => {
    await client.close();
    await plane.close();
  });

  async function start(over: Partial<SnapshotClientOptions> = {}): Promise<void> {
    client = createSnapshotClient({ url: plane.url, pollMs: NEVER_MS, wakeSpreadMs: 0, onSnapshot: ({ version }) => versions.push(version), ...over });
    await client.start();
    // The first poll ends: a push that comes before that is asked for 100 ms later.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it('known failure 77: costs seven requests, and afterwards the tag is believed again', async () => {
    await start({ pollMs: 2_000, jitter: 0 });
    client.wake(6);
    await settled(() => plane.seen.length >= 1 + 7, CHASE_MS + 10_000);
    // The chase asks without conditions, since the first answer was "unchanged".
    expect(plane.seen.slice(1, 8).map(({ ifNoneMatch }) => ifNoneMatch)).toEqual(['"v5"', ...Array<undefined>(6).fill(undefined)]);
    await settled(() => plane.seen.length >= 1 + 7 + 2, 15_000);
    expect(plane.seen.slice(8, 10).map(({ url, ifNoneMatch }) => [url, ifNoneMatch])).toEqual(Array(2).fill(['/v1/snapshot?since=5', '"v5"']));
    // The answer to the last of them may still be on its way.
    await settled(() => client.status().polls.unchanged >= 9);
    expect(client.status()).toMatchObject({ version: 5, polls: { whole: 1, failed: 0 } });
  }, 40_000);

  it('hides no true one below it', async () => {
    await start();
    client.wake(1_000_000_000);
    // The last pause of the chase is 3.2 s.
    await settled(() => plane.seen.length === 1 + 6, CHASE_MS);
    plane.snapshot = snapshotAt(6);
    client.wake(6);
    await settled(() => versions.at(-1) === 6, 1_000);
    // Nor does one that is heard again hurry anything.
    await settled(() => plane.seen.length === 1 + 7 + 1);
    for (let times = 0; times < 20; times += 1) client.wake(1_000_000_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(plane.seen).toHaveLength(9);
  }, 20_000);
});
