import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type ControlPlane, settled, snapshotAt, startControlPlane } from '../test/control-plane.js';
import { createSnapshotClient, type SnapshotClient } from './snapshot-client.js';
import type { SnapshotClientOptions } from './snapshot-client-options.js';

describe('R43 polls go on whatever becomes of what the client tells', () => {
  let plane: ControlPlane;
  let client: SnapshotClient;
  let versions: number[];
  let folder: string;
  let warnings: string[];

  beforeEach(async () => {
    plane = await startControlPlane();
    versions = [];
    warnings = [];
    folder = mkdtempSync(join(tmpdir(), 'sluice-told-'));
    jest.spyOn(process, 'emitWarning').mockImplementation((warning) => void warnings.push(String(warning)));
  });
  afterEach(async () => {
    await client.close();
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
    jest.restoreAllMocks();
  });

  function start(over: Partial<SnapshotClientOptions>): void {
    client = createSnapshotClient({ url: plane.url, pollMs: 20, wakeSpreadMs: 0, timeoutMs: 300, onSnapshot: ({ version }) => versions.push(version), ...over });
    void client.start();
  }
  const fails = (): never => {
    throw new Error('no such metric');
  };

  it.each<[string, Partial<SnapshotClientOptions>]>([
    ['throws', { onApplied: fails }],
    ['rejects', { onApplied: async () => Promise.reject(new Error('no such metric')) }],
  ])('onApplied %s: the rules are in force, and the next ones come', async (_what, over) => {
    start(over);
    await settled(() => versions.length === 1);
    plane.snapshot = snapshotAt(2);
    await settled(() => client.status().version === 2);
    await settled(() => client.status().polls.unchanged > 2);
    expect(versions).toEqual([1, 2]);
    expect(warnings).toEqual(['onApplied of the snapshot client threw: no such metric']);
  });

  it('onRefused and onError throw', async () => {
    plane.answer = (_request, response) => void response.socket?.destroy();
    start({ onRefused: fails, onError: fails });
    await settled(() => client.status().polls.failed > 1);
    plane.answer = (_request, response) => response.end('{"version":2}');
    await settled(() => client.status().refused > 1);
    plane.answer = undefined;
    await settled(() => versions.length === 1);
    expect(warnings).toEqual(['onError of the snapshot client threw: no such metric', 'onRefused of the snapshot client threw: no such metric']);
  });

  it('onCopyFault throws', async () => {
    writeFileSync(join(folder, 'node'), 'a file where the folder should be');
    start({ onCopyFault: fails, copyFile: join(folder, 'node', 'snapshot.json') });
    await settled(() => client.status().copyFault !== undefined);
    plane.snapshot = snapshotAt(2);
    await settled(() => versions.at(-1) === 2);
    expect(warnings).toEqual(['onCopyFault of the snapshot client threw: no such metric']);
  });
});
