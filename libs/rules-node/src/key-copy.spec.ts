import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyDirectory, type KeyAnswer, type KeyDirectory } from '@sluice/middleware';
import { KeyCopy } from './key-copy.js';
import { readKeyFile, writeKeyFile } from './key-file.js';

const hashOf = (key: string): string => hash('sha256', key, 'hex');
const HOUR_MS = 3_600_000;

describe('R43 known keys outlive the process', () => {
  let folder: string;
  let file: string;
  /** What the control plane says by the key itself; `undefined`: it is away. */
  let plane: Map<string, KeyAnswer> | undefined;
  let lines: { readonly level: string; readonly fields: Record<string, unknown>; readonly text: string }[];
  let open: KeyCopy[];

  const log = (level: string) => (fields: object, text?: string) => void lines.push({ level, fields: { ...fields }, text: text ?? '' });
  const logger = { info: log('info'), warn: log('warn'), error: log('error') };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-keys-'));
    file = join(folder, 'node', 'snapshot.json.keys');
    plane = new Map(['a', 'b'].map((key) => [key, { kind: 'known', caller: { keyId: `id-${key}`, tenantId: 't', plan: 'free' } }]));
    lines = [];
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((copy) => copy.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(pauseMs = 10): Promise<{ readonly keys: KeyDirectory; readonly copy: KeyCopy }> {
    const keys = createKeyDirectory({
      ttlMs: 1,
      source: async (wanted) => {
        if (plane === undefined) throw new Error('away');
        return [...plane].find(([key]) => hashOf(key) === wanted)?.[1] ?? { kind: 'unknown' };
      },
    });
    const copy = new KeyCopy({ path: file, keys, logger, pauseMs });
    open.push(copy);
    await copy.start();
    return { keys, copy };
  }
  /** A node that served these keys and stopped. */
  async function nodeBefore(...served: string[]): Promise<void> {
    const { keys, copy } = await start(HOUR_MS);
    for (const key of served) await keys.lookup(key);
    await copy.close();
  }
  const written = (): string => readFileSync(file, 'utf8');
  const read = (): string => {
    try {
      return written();
    } catch {
      return '';
    }
  };
  async function settled(isSo: () => boolean): Promise<void> {
    for (let tries = 0; tries < 300 && !isSo(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isSo()).toBe(true);
  }
  /** Writes the file anew, its checksum good. */
  function rewrite(change: (text: string) => string): void {
    const body = change(written().slice(0, written().lastIndexOf('\n', written().length - 2) + 1));
    writeFileSync(file, `${body}${JSON.stringify({ checksum: hash('sha256', body, 'hex') })}\n`);
  }
  const confirmedAt = (atMs: number) => (text: string) => text.replaceAll(/,\d+\]\n/g, `,${atMs}]\n`);

  it('a node that starts while the control plane is away knows what the one before knew, and no more', async () => {
    await nodeBefore('a', 'b', 'nobody');
    plane = undefined;
    const { keys, copy } = await start();
    expect(await keys.lookup('a')).toEqual({ kind: 'known', caller: { keyId: 'id-a', tenantId: 't', plan: 'free' } });
    expect(await keys.lookup('nobody')).toMatchObject({ kind: 'unavailable' });
    expect(lines).toEqual([{ level: 'info', fields: { file, keys: 2, expired: 0 }, text: 'known keys read from disk' }]);
    expect(copy.readiness(true)).toEqual({ ok: true, detail: '2 known, 2 read from disk at the start' });
  });

  it('holds hashes and no keys, for its owner alone, and leaves nothing beside it', async () => {
    plane?.set('sk_very-secret', { kind: 'known', caller: { keyId: 'k', tenantId: 't', plan: 'pro' } });
    await nodeBefore('sk_very-secret');
    expect(written()).not.toContain('sk_very-secret');
    expect(written()).toContain(hashOf('sk_very-secret'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'node'))).toEqual(['snapshot.json.keys']);
  });

  it('is written while the node runs; a key that is disabled, deleted or of another plan is so in the file too', async () => {
    const { keys } = await start();
    await keys.lookup('a');
    await keys.lookup('b');
    await settled(() => read().includes(hashOf('a')) && read().includes(hashOf('b')));
    plane?.set('a', { kind: 'disabled' }).set('b', { kind: 'known', caller: { keyId: 'id-b', tenantId: 't', plan: 'pro' } });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([keys.lookup('a'), keys.lookup('b')]);
    await settled(() => !read().includes(hashOf('a')) && read().includes('"pro"'));
    plane?.delete('b');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await keys.lookup('b');
    await settled(() => !read().includes(hashOf('b')));
  });

  it('a node that serves few keys does not lose those of the one before, and the same answers again are not written each time', async () => {
    await nodeBefore('a', 'b');
    const { keys } = await start();
    const { mtimeMs } = statSync(file);
    await keys.lookup('a');
    await settled(() => keys.stats.confirmations > 0);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    plane?.set('c', { kind: 'known', caller: { keyId: 'id-c', tenantId: 't', plan: 'free' } });
    await keys.lookup('c');
    await settled(() => read().includes(hashOf('c')));
    for (const key of ['a', 'b']) expect(written()).toContain(hashOf(key));
  });

  it('the day counts from when each key was confirmed, over any number of restarts', async () => {
    await nodeBefore('a');
    const atMs = Date.now() - 24 * HOUR_MS + 60_000;
    rewrite(confirmedAt(atMs));
    plane = undefined;
    await nodeBefore('a');
    const { keys } = await start();
    expect(await keys.lookup('a')).toMatchObject({ kind: 'known' });
    expect(keys.confirmed()[0]?.ageMs).toBeGreaterThanOrEqual(24 * HOUR_MS - 60_000);
  });

  it.each([
    ['more than a day ago', () => Date.now() - 24 * HOUR_MS - 1000],
    ['in time to come', () => Date.now() + HOUR_MS],
  ])('what was confirmed %s is not used, which is one line in the log, and the node is not ready on rules from disk', async (_when, atMs) => {
    await nodeBefore('a', 'b');
    rewrite(confirmedAt(atMs()));
    plane = undefined;
    const { keys, copy } = await start();
    expect(await keys.lookup('a')).toMatchObject({ kind: 'unavailable' });
    expect(lines).toEqual([{ level: 'warn', fields: { file, expired: 2 }, text: expect.stringContaining('too old') }]);
    expect(copy.readiness(true)).toEqual({ ok: false, detail: expect.stringContaining('0 known, 0 read from disk') });
    expect(copy.readiness(false).ok).toBe(true);
  });

  it.each<[string, (text: string) => string]>([
    ['is torn', (text) => text.slice(0, -90)],
    ['lost a line', (text) => text.replace(/\n\[[^\n]*\n/, '\n')],
    ['was changed', (text) => text.replace('"free"', '"gold"')],
    ['is of another format', (text) => text.replace('"format":1', '"format":2')],
    ['is no JSON', () => 'x\ny\n'],
    ['is empty', () => ''],
  ])('a file that %s is not used, which is one line in the log, and is replaced', async (_what, spoil) => {
    await nodeBefore('a', 'b');
    writeFileSync(file, spoil(written()));
    const { keys, copy } = await start();
    expect(lines).toEqual([{ level: 'error', fields: { file, reason: expect.any(String) }, text: expect.stringContaining('is of no use') }]);
    expect([keys.countConfirmed(), copy.readiness(true).ok]).toEqual([0, false]);
    await keys.lookup('a');
    await copy.close();
    await start();
    expect(lines.at(-1)).toMatchObject({ text: 'known keys read from disk', fields: { keys: 1 } });
  });

  it.each(['["nohash","k","t","free",1]', '{}', '[]', 'null', `["${hashOf('x')}","k","t",7,1]`, `["${hashOf('x')}","k","t","free","1"]`])('a line that is no key spoils the file: %s', async (line) => {
    await nodeBefore('a');
    rewrite((text) => `${text}${line}\n`);
    const { keys } = await start();
    expect([keys.countConfirmed(), lines[0]?.fields['reason']]).toEqual([0, 'a line of it is no key']);
  });

  it('R50 a secret that was replaced by a rotation ends at its time, also from the file', async () => {
    const keys = [{ keyHash: hash('sha256', 'old', 'hex'), caller: { keyId: 'id', tenantId: 't', plan: 'free' }, ageMs: 5, validForMs: 60_000 }];
    await writeKeyFile(file, keys);
    const [read] = (await readKeyFile(file)) ?? [];
    expect(read?.validForMs).toBeGreaterThan(50_000);
    expect(read?.validForMs).toBeLessThanOrEqual(60_000);
    await writeKeyFile(file, keys.map(({ validForMs: _none, ...key }) => key));
    expect((await readKeyFile(file))?.[0]).not.toHaveProperty('validForMs');
  });

  it('a file that cannot be written is one line in the log, and so is that it can again', async () => {
    mkdirSync(file, { recursive: true });
    const { keys, copy } = await start();
    lines = [];
    await keys.lookup('a');
    await settled(() => lines.length === 1);
    expect(lines[0]).toMatchObject({ level: 'error', text: expect.stringContaining('were not written'), fields: { file, reason: expect.any(String) } });
    rmSync(file, { recursive: true });
    await copy.close();
    expect(lines.map(({ level }) => level)).toEqual(['error', 'warn']);
    expect(written()).toContain(hashOf('a'));
  });

  it('no file is the usual first start: nothing is logged', async () => {
    await start();
    expect(lines).toEqual([]);
  });

  it('holds as many keys as the directory does, and writing them leaves turns to others', async () => {
    const { keys, copy } = await start(HOUR_MS);
    const many = Array.from({ length: 100_000 }, (_, at) => ({ keyHash: hashOf(`k${at}`), caller: { keyId: `k${at}`, tenantId: 't', plan: 'free' }, ageMs: 0 }));
    expect(keys.restore(many)).toBe(many.length);
    await keys.lookup('a');
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await copy.close();
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
    const next = await start(HOUR_MS);
    expect(next.keys.countConfirmed()).toBe(100_000);
  });
});
