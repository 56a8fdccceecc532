import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keyHash } from './key-hash.js';
import { createKeyDirectory } from './key-directory.js';
import type { KeyDirectory, KeyDirectoryOptions } from './key-directory.js';
import { adminKeySource } from './key-source.js';

/** A control plane that knows some keys; `answer` can be replaced. */
interface Admin {
  readonly url: string;
  readonly asked: string[];
  readonly headers: (string | undefined)[];
  keys: Record<string, object>;
  status: number | 'hang' | undefined;
  delayMs: number;
  close(): Promise<void>;
}

async function startAdmin(): Promise<Admin> {
  const admin: Admin = { url: '', asked: [], headers: [], keys: {}, status: undefined, delayMs: 0, close: async () => {} };
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { key_hash: hash } = JSON.parse(body) as { key_hash: string };
      admin.asked.push(hash);
      admin.headers.push(request.headers.authorization);
      if (admin.status === 'hang') return;
      const found = admin.keys[hash];
      const status = admin.status ?? (found === undefined ? 404 : 200);
      setTimeout(() => {
        response.statusCode = status;
        response.end(JSON.stringify(found ?? {}));
      }, admin.delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(admin, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close });
}

const RECORD = { key_id: 'k1', tenant_id: 't1', plan: 'free', disabled: false };
const CALLER = { kind: 'known', caller: { keyId: 'k1', tenantId: 't1', plan: 'free' } };

describe('R1 API keys to callers', () => {
  let admin: Admin;
  let nowMs = 0;

  function directory(over: Partial<KeyDirectoryOptions> = {}): KeyDirectory {
    return createKeyDirectory({ source: adminKeySource({ url: admin.url, token: 'secret', timeoutMs: 300 }), nowMs: () => nowMs, ...over });
  }

  beforeEach(async () => {
    nowMs = 1_000_000;
    admin = await startAdmin();
    admin.keys[keyHash('good') ?? ''] = RECORD;
  });
  afterEach(() => admin.close());

  it('asks by hash with the token, never with the key, and answers from memory after that', async () => {
    const keys = directory();
    expect(await keys.lookup('good')).toEqual(CALLER);
    const again = keys.lookup('good');
    expect(again).not.toBeInstanceOf(Promise);
    expect(again).toEqual(CALLER);
    expect(admin.asked).toEqual(['770e607624d689265ca6c44884d0807d9b054d23c473c106c72be9de08b7376c']);
    expect(admin.headers).toEqual(['Bearer secret']);
  });

  it('remembers that a key is unknown or disabled', async () => {
    admin.keys[keyHash('off') ?? ''] = { ...RECORD, disabled: true };
    const keys = directory();
    expect(await keys.lookup('nobody')).toEqual({ kind: 'unknown' });
    expect(await keys.lookup('off')).toEqual({ kind: 'disabled' });
    expect(keys.lookup('nobody')).toEqual({ kind: 'unknown' });
    expect(keys.lookup('off')).toEqual({ kind: 'disabled' });
    expect(admin.asked).toHaveLength(2);
  });

  it.each(['', ' ', 'a b', 'ключ', 'x\ny', 'x'.repeat(257)])('does not ask about what cannot be a key: %j', (text) => {
    expect(directory().lookup(text)).toEqual({ kind: 'unknown' });
    expect(admin.asked).toHaveLength(0);
  });

  it('asks once for one key however many requests wait', async () => {
    admin.delayMs = 20;
    const keys = directory();
    const answers = await Promise.all(Array.from({ length: 50 }, () => keys.lookup('good')));
    expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['known']));
    expect(admin.asked).toHaveLength(1);
  });

  it('a disabled key stops within the time to live, and a busy key is asked about without making it wait', async () => {
    const keys = directory({ ttlMs: 2000 });
    await keys.lookup('good');
    admin.keys[keyHash('good') ?? ''] = { ...RECORD, disabled: true };
    nowMs += 1100;
    expect(keys.lookup('good')).toEqual(CALLER);
    await settled(() => admin.asked.length === 2);
    expect(await until(() => keys.lookup('good'), 'disabled')).toEqual({ kind: 'disabled' });
  });

  it('R55 after a push the next use asks again, at once and without waiting', async () => {
    const keys = directory({ ttlMs: 60_000 });
    await keys.lookup('good');
    admin.keys[keyHash('good') ?? ''] = { ...RECORD, disabled: true };
    nowMs += 1;
    keys.doubtAll();
    expect(keys.lookup('good')).toEqual(CALLER);
    expect(await until(() => keys.lookup('good'), 'disabled')).toEqual({ kind: 'disabled' });
    expect(admin.asked).toHaveLength(2);
    expect(keys.lookup('good')).toEqual({ kind: 'disabled' });
    expect(admin.asked).toHaveLength(2);
  });

  it('past its time an answer is not given again without asking', async () => {
    const keys = directory({ ttlMs: 2000 });
    await keys.lookup('good');
    admin.keys[keyHash('good') ?? ''] = { ...RECORD, disabled: true };
    nowMs += 2000;
    const answer = keys.lookup('good');
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toEqual({ kind: 'disabled' });
  });

  it('a key that is created after it was refused works within the time to live', async () => {
    const keys = directory({ ttlMs: 2000 });
    expect(await keys.lookup('new')).toEqual({ kind: 'unknown' });
    admin.keys[keyHash('new') ?? ''] = RECORD;
    nowMs += 2000;
    expect(await keys.lookup('new')).toEqual(CALLER);
  });

  it('R43 the last answer stands while the control plane is away, without waiting for it once that is known', async () => {
    const failures: unknown[] = [];
    const keys = directory({ onFailure: (error) => failures.push(error) });
    await keys.lookup('good');
    admin.status = 'hang';
    for (let i = 0; i < 3; i++) {
      nowMs += 3000;
      expect(await keys.lookup('good')).toEqual(CALLER);
    }
    expect(failures).toHaveLength(3);
    nowMs += 3000;
    expect(keys.lookup('good')).toEqual(CALLER);
    await settled(() => keys.stats.failures === 4);
    admin.status = undefined;
    nowMs += 3000;
    void keys.lookup('good');
    await settled(() => admin.asked.length === 6);
    nowMs += 86_500_000;
    await admin.close();
    expect(await keys.lookup('good')).toMatchObject({ kind: 'unavailable' });
  });

  it('R43 what was confirmed can be restored by another process, each key for a day from when it was confirmed', async () => {
    const before = directory();
    admin.keys[keyHash('later') ?? ''] = { ...RECORD, key_id: 'k2' };
    await before.lookup('good');
    nowMs += 3_600_000;
    await before.lookup('later');
    await before.lookup('nobody');
    const kept = before.confirmed();
    expect(kept).toEqual([
      { keyHash: keyHash('good'), caller: CALLER.caller, ageMs: 3_600_000 },
      { keyHash: keyHash('later'), caller: { ...CALLER.caller, keyId: 'k2' }, ageMs: 0 },
    ]);
    await admin.close();
    const after = directory();
    expect([after.restore(kept), after.countConfirmed(), after.restore(kept)]).toEqual([2, 2, 0]);
    expect(await after.lookup('good')).toEqual(CALLER);
    expect(await after.lookup('nobody')).toMatchObject({ kind: 'unavailable' });
    nowMs += 86_400_000 + 2000 - 3_600_000 + 1;
    expect(await after.lookup('good')).toMatchObject({ kind: 'unavailable' });
    expect(await after.lookup('later')).toMatchObject({ kind: 'known' });
    expect([after.countConfirmed(), after.confirmed().length, directory().restore(kept.map((key) => ({ ...key, ageMs: 86_402_001 })))]).toEqual([1, 1, 0]);
  });

  it('R43 a restored key is asked about before it is served, and one that was disabled meanwhile is dropped', async () => {
    admin.keys[keyHash('good') ?? ''] = { ...RECORD, disabled: true };
    const keys = directory();
    keys.restore([{ keyHash: keyHash('good') ?? '', caller: CALLER.caller, ageMs: 10_000 }]);
    expect(await keys.lookup('good')).toEqual({ kind: 'disabled' });
    expect([keys.confirmed(), keys.stats.changes]).toEqual([[], 1]);
    expect(keys.restore([{ keyHash: keyHash('good') ?? '', caller: CALLER.caller, ageMs: 10_000 }])).toBe(0);
  });

  it('tells a change of who is known from the same answer again', async () => {
    const keys = directory();
    await keys.lookup('good');
    await keys.lookup('nobody');
    expect(keys.stats).toMatchObject({ changes: 1, confirmations: 0 });
    nowMs += 3000;
    await keys.lookup('good');
    expect(keys.stats).toMatchObject({ changes: 1, confirmations: 1 });
    admin.keys[keyHash('good') ?? ''] = { ...RECORD, plan: 'pro' };
    nowMs += 3000;
    await keys.lookup('good');
    expect(keys.stats).toMatchObject({ changes: 2, confirmations: 1 });
  });

  it('R50 a secret that was replaced ends when its time is over, also while nobody can be asked, and in a copy of another process', async () => {
    admin.keys[keyHash('old') ?? ''] = { ...RECORD, valid_for_seconds: 60 };
    const keys = directory();
    expect(await keys.lookup('old')).toEqual({ ...CALLER, validForMs: 60_000 });
    nowMs += 20_000;
    admin.status = 500;
    expect(await keys.lookup('old')).toMatchObject(CALLER);
    const [kept] = keys.confirmed();
    expect(kept).toMatchObject({ ageMs: 20_000, validForMs: 40_000 });
    const other = directory();
    other.restore(kept === undefined ? [] : [kept]);
    nowMs += 40_001;
    expect([keys.countConfirmed(), keys.confirmed()]).toEqual([0, []]);
    expect(await keys.lookup('old')).toEqual({ kind: 'unknown' });
    expect(await other.lookup('old')).toEqual({ kind: 'unknown' });
    expect(keys.stats.changes).toBe(2);
    // Rotated again meanwhile, or not: the control plane has the last word.
    admin.status = undefined;
    admin.keys[keyHash('old') ?? ''] = RECORD;
    nowMs += 2_000;
    expect(await keys.lookup('old')).toEqual(CALLER);
  });

  it.each([500, 401, 403, 302] as const)('a key that nothing is known of is unavailable, not refused, on %d', async (status) => {
    admin.status = status;
    expect(await directory().lookup('good')).toEqual({ kind: 'unavailable', retryAfterMs: 1000 });
  });

  it('takes no half answer for a caller', async () => {
    for (const half of [{}, { ...RECORD, plan: 7 }, { ...RECORD, disabled: 'no' }, [], null]) {
      admin.keys[keyHash('good') ?? ''] = half as object;
      admin.status = 200;
      expect(await directory().lookup('good')).toMatchObject({ kind: 'unavailable' });
    }
  });

  it('is bounded: good and refused keys apart, and few lookups for strangers at once', async () => {
    const keys = directory({ maxKeys: 10, maxRefused: 10, maxStrangers: 20 });
    await keys.lookup('good');
    for (let i = 0; i < 100; i++) await keys.lookup(`guess-${i}`);
    expect(keys.lookup('good')).toEqual(CALLER);
    admin.delayMs = 50;
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => keys.lookup(`other-${i}`)));
    expect(answers.filter((answer) => answer.kind === 'unavailable')).toHaveLength(80);
  });
});

async function settled(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
}

async function until<T extends { kind: string }>(read: () => T | Promise<T>, kind: string): Promise<T> {
  let last = await read();
  for (let i = 0; i < 100 && last.kind !== kind; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    last = await read();
  }
  return last;
}
