import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Snapshot } from '@sluice/rules';
import { settled, snapshotAt, startControlPlane } from '../test/control-plane.js';
import type { ControlPlane } from '../test/control-plane.js';
import type { CopyFault, SnapshotClientOptions } from './snapshot-client-options.js';
import { createSnapshotClient } from './snapshot-client.js';
import type { SnapshotClient } from './snapshot-client.js';

describe('R43 a node starts from the last snapshot on disk', () => {
  let plane: ControlPlane;
  let folder: string;
  let file: string;
  let taken: Snapshot[];
  let faults: CopyFault[];
  const clients: SnapshotClient[] = [];

  beforeEach(async () => {
    plane = await startControlPlane(snapshotAt(3));
    folder = mkdtempSync(join(tmpdir(), 'sluice-copy-'));
    file = join(folder, 'node', 'snapshot.json');
    taken = [];
    faults = [];
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function client(over: Partial<SnapshotClientOptions> = {}): SnapshotClient {
    const made = createSnapshotClient({
      url: plane.url,
      pollMs: 20,
      wakeSpreadMs: 0,
      timeoutMs: 300,
      copyFile: file,
      onSnapshot: (_index, snapshot) => taken.push(snapshot),
      onCopyFault: (fault) => faults.push(fault),
      ...over,
    });
    clients.push(made);
    return made;
  }
  /** A node that runs and ends. */
  const nodeBefore = async (): Promise<void> => {
    const before = client();
    await before.start();
    await before.close();
    taken = [];
  };
  const away = (): void => {
    plane.answer = (_request, response) => void response.socket?.destroy();
  };

  it('when the control plane is away, and takes what that says once it is back', async () => {
    await nodeBefore();
    away();
    const node = client();
    await node.start();
    expect(taken).toEqual([snapshotAt(3)]);
    expect(node.status()).toMatchObject({ version: 3, restored: true, lastError: expect.stringContaining('fetch failed') });
    expect(node.status().ageMs).toBeLessThan(5000);
    plane.snapshot = snapshotAt(4);
    plane.answer = undefined;
    await settled(() => taken.length === 2);
    expect(node.status()).toMatchObject({ version: 4, restored: false });
    await node.close();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ snapshot: { version: 4 } });
  });

  it('also after changes', async () => {
    const before = client();
    await before.start();
    plane.delta = { since: 3, version: 4, rules: snapshotAt(4).rules, deleted_rules: [], plans: [], deleted_plans: [], overrides: [], deleted_overrides: [] };
    plane.snapshot = snapshotAt(4);
    await settled(() => before.status().polls.delta === 1);
    await before.close();
    away();
    const node = client();
    await node.start();
    expect(taken.at(-1)).toEqual(snapshotAt(4));
    expect(node.status()).toMatchObject({ version: 4, restored: true, copyFault: undefined });
  });

  it('not when the control plane answers', async () => {
    await nodeBefore();
    plane.snapshot = snapshotAt(5);
    await client().start();
    expect(taken.map(({ version }) => version)).toEqual([5]);
  });

  it.each([
    ['a lower version', snapshotAt(2)],
    ['the same version with other rules', { ...snapshotAt(3), rules: [] }],
  ])('%s of a control plane that began anew is taken: its tag proves nothing of a copy', async (_what, snapshot) => {
    await nodeBefore();
    away();
    const node = client();
    await node.start();
    plane.snapshot = snapshot;
    plane.answer = undefined;
    await settled(() => taken.length === 2);
    expect(taken[1]).toEqual(snapshot);
    expect(node.status()).toMatchObject({ refusal: undefined, restored: false });
  });

  it('when the control plane offers a snapshot that is refused', async () => {
    await nodeBefore();
    plane.answer = (_request, response) => response.end('{"version": 9, "rules": "none"}');
    const node = client();
    await node.start();
    expect(node.status()).toMatchObject({ version: 3, restored: true, refused: 1 });
  });

  it.each([
    ['is torn', (text: string) => text.slice(0, -20)],
    ['was changed', (text: string) => text.replace('"limit":3', '"limit":30000')],
    ['is of another format', (text: string) => text.replace('"format":1', '"format":2')],
    ['holds no valid rules', (text: string) => text.replace('"limit":3', '"limit":-3')],
    ['is no JSON', () => 'x'],
    ['is empty', () => ''],
  ])('a copy that %s is told and not used', async (_what, spoil) => {
    await nodeBefore();
    writeFileSync(file, spoil(readFileSync(file, 'utf8')));
    away();
    const node = client();
    void node.start();
    await settled(() => faults.length > 0);
    expect(faults).toEqual([{ kind: 'read', reason: expect.stringContaining(`${file} is of no use: `) }]);
    expect(node.status().copyFault).toBe(faults[0]?.reason);
    expect(taken).toEqual([]);
    expect(node.status().version).toBeUndefined();
    plane.answer = undefined;
    await settled(() => taken.length === 1 && node.status().copyFault === undefined);
  });

  it('that there is none is told once, when it was needed', async () => {
    away();
    const node = client();
    void node.start();
    await settled(() => node.status().polls.failed > 2);
    expect(faults).toEqual([{ kind: 'missing', reason: `there is no copy of the rules in ${file}` }]);
  });

  it('nobody else reads the file, and nothing is left beside it, however fast the rules change', async () => {
    const node = client({ pollMs: 1 });
    await node.start();
    for (let version = 4; version < 30; version += 1) {
      plane.snapshot = snapshotAt(version);
      await settled(() => taken.at(-1)?.version === version);
    }
    await node.close();
    expect(readdirSync(join(folder, 'node'))).toEqual(['snapshot.json']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ snapshot: { version: 29 } });
  });

  it('a folder that cannot be written costs an alarm, not the rules', async () => {
    writeFileSync(join(folder, 'node'), 'a file where the folder should be');
    const node = client();
    await node.start();
    await settled(() => faults.length > 0);
    expect(faults[0]).toEqual({ kind: 'write', reason: expect.stringContaining(`${file} was not written: `) });
    expect(node.status().copyFault).toBe(faults[0]?.reason);
    expect(node.status().version).toBe(3);
  });
});
