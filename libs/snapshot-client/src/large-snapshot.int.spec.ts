import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RuleIndex, snapshotChecksum } from '@sluice/rules';
import { type ControlPlane, etagOf, settled, snapshotAt, startControlPlane } from '../test/control-plane.js';
import { largeSnapshot } from '../test/large-snapshot.js';
import { createSnapshotClient, type SnapshotClient } from './snapshot-client.js';
import type { SnapshotClientOptions } from './snapshot-client-options.js';

const NEVER_MS = 3_600_000;

describe('R56 a large snapshot beside requests', () => {
  let plane: ControlPlane;
  let client: SnapshotClient | undefined;
  let current: RuleIndex | undefined;
  let versions: number[];
  let folder: string;

  beforeEach(async () => {
    plane = await startControlPlane();
    versions = [];
    folder = mkdtempSync(join(tmpdir(), 'sluice-large-'));
  });
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(over: Partial<SnapshotClientOptions> = {}): SnapshotClient {
    client = createSnapshotClient({
      url: plane.url,
      pollMs: NEVER_MS,
      wakeSpreadMs: 0,
      onSnapshot: (index) => {
        current = index;
        versions.push(index.version);
      },
      ...over,
    });
    return client;
  }

  /** Has the server offer a snapshot whose answer is made beforehand, since it runs on this thread too. */
  function offer(version: number): void {
    const snapshot = largeSnapshot(version);
    const body = Buffer.from(JSON.stringify(snapshot));
    const checksum = snapshotChecksum(snapshot);
    plane.answer = (_request, response) => response.setHeader('ETag', etagOf(snapshot)).setHeader('Sluice-Checksum', checksum).end(body);
  }

  /** Turns of the event loop between the last byte of an answer and the swap. */
  async function turnsOfSwap(version: number, over: Partial<SnapshotClientOptions>): Promise<number> {
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (current?.version !== version) setImmediate(turn);
    };
    const noting: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      return new Response(response.body?.pipeThrough(new TransformStream({ flush: () => void setImmediate(turn) })) ?? null, response);
    };
    offer(version);
    await start({ ...over, fetch: noting }).start();
    await client?.close();
    return turns;
  }

  it('leaves the event loop many turns while it is read, checked and built', async () => {
    // Some 80 ms of work and more.
    expect(await turnsOfSwap(2, {})).toBeGreaterThan(25);
    expect(await turnsOfSwap(3, { sliceMs: Infinity })).toBeLessThan(15);
    expect(current?.match({ plan: 'plan-1', endpoint: 'GET /v1/area0/7', key_id: 'key-1' }, 0).map(({ quota, overrideId }) => [quota.limit, overrideId])).toEqual([[7, 'override-1']]);
  }, 20_000);

  it('is never in force in part, and its build ends when a newer version is announced, which comes next', async () => {
    await start().start();
    offer(2);
    client?.wake(2);
    await settled(() => plane.seen.length === 2);
    // The build of version 2 is under way, or its body is.
    await new Promise((resolve) => setTimeout(resolve, 20));
    offer(3);
    client?.wake(3);
    await settled(() => current?.version === 3);
    expect(versions).toEqual([1, 2, 3]);
  }, 20_000);

  it.each([10, 40, 80])('R44 a close in the middle of it, after %d ms, is at once, and nothing comes of it', async (afterMs) => {
    await start({ sliceMs: 0 }).start();
    offer(2);
    client?.wake(2);
    await settled(() => plane.seen.length === 2);
    // Parsed, checked or compiled by then: with a turn after each step it takes longer than this.
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    expect(versions).toEqual([1]);
    const beforeMs = performance.now();
    await client?.close();
    expect(performance.now() - beforeMs).toBeLessThan(50);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(versions).toEqual([1]);
    expect(client?.status()).toMatchObject({ version: 1, refused: 0, refusal: undefined, lastError: undefined });
  }, 20_000);

  it('R43 its copy is written in pieces, and is what JSON.stringify makes of it', async () => {
    const copyFile = join(folder, 'snapshot.json');
    offer(2);
    await start({ copyFile }).start();
    await client?.close();
    const copy = JSON.parse(readFileSync(copyFile, 'utf8')) as Record<string, unknown>;
    expect(copy).toEqual({ format: 1, saved_at: expect.any(String), checksum: snapshotChecksum(largeSnapshot(2)), snapshot: largeSnapshot(2) });
    expect(readFileSync(copyFile, 'utf8')).toBe(JSON.stringify(copy));
    plane.answer = (_request, response) => void response.socket?.destroy();
    versions = [];
    await start({ copyFile }).start();
    expect(client?.status()).toMatchObject({ version: 2, restored: true, copyFault: undefined });
    plane.answer = undefined;
    plane.snapshot = snapshotAt(3);
  }, 20_000);
});
