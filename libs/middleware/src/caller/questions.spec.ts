import { keyHash } from './key-hash.js';
import { createKeyDirectory, type KeyDirectory, type KeyDirectoryOptions } from './key-directory.js';
import type { KeyAnswer } from './key-source.js';

interface Asked {
  readonly hash: string;
  answer(kind?: 'known' | 'disabled' | 'unknown'): Promise<void>;
  fail(): Promise<void>;
}

const CALLER = { keyId: 'k', tenantId: 't', plan: 'free' };
const KNOWN = { kind: 'known', caller: CALLER };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A control plane that answers when the test says so, each question by itself. */
class Slow {
  readonly asked: Asked[] = [];
  underWay = 0;
  most = 0;

  readonly source = (hash: string): Promise<KeyAnswer> =>
    new Promise((resolve, reject) => {
      this.underWay += 1;
      this.most = Math.max(this.most, this.underWay);
      const end = (how: () => void): Promise<void> => {
        this.underWay -= 1;
        how();
        return turn();
      };
      this.asked.push({
        hash,
        answer: (kind = 'known') => end(() => resolve(kind === 'known' ? { kind, caller: CALLER } : { kind })),
        fail: () => end(() => reject(new Error('away'))),
      });
    });

  /** Answers all, also what is asked meanwhile. */
  async answerAll(from = 0, kind: (hash: string) => 'known' | 'disabled' = () => 'known'): Promise<void> {
    for (let at = from; at < this.asked.length; at += 1) await this.asked[at]?.answer(kind(this.asked[at]?.hash ?? ''));
  }
}

describe('R50 R55 questions about keys', () => {
  let slow: Slow;
  let nowMs = 0;

  beforeEach(() => {
    slow = new Slow();
    nowMs = 1_000_000;
  });

  const directory = (over: Partial<KeyDirectoryOptions> = {}): KeyDirectory => createKeyDirectory({ source: slow.source, nowMs: () => nowMs, ...over });

  async function knowing(count: number, over: Partial<KeyDirectoryOptions> = {}): Promise<KeyDirectory> {
    const keys = directory(over);
    for (let at = 0; at < count; at += 1) {
      const found = keys.lookup(`key-${at}`);
      await slow.asked[at]?.answer();
      expect(await found).toEqual(KNOWN);
    }
    slow.most = 0;
    return keys;
  }

  it('an answer that was asked for before a doubt and comes after it is doubted', async () => {
    const keys = await knowing(1, { ttlMs: 60_000 });
    keys.doubtAll();
    keys.lookup('key-0');
    // Disabled now, and pushed; the answer under way is from before.
    keys.doubtAll();
    await slow.asked[1]?.answer('known');
    expect(keys.lookup('key-0')).toEqual(KNOWN);
    expect(slow.asked).toHaveLength(3);
    await slow.asked[2]?.answer('disabled');
    expect(keys.lookup('key-0')).toEqual({ kind: 'disabled' });
  });

  it('after a doubt nobody waits for a question from before it, and an older answer does not replace a newer one', async () => {
    const keys = await knowing(1, { ttlMs: 60_000 });
    keys.doubtAll();
    keys.lookup('key-0');
    keys.doubtAll();
    keys.lookup('key-0');
    keys.lookup('key-0');
    expect(slow.asked).toHaveLength(3);
    await slow.asked[2]?.answer('disabled');
    await slow.asked[1]?.answer('known');
    expect(keys.lookup('key-0')).toEqual({ kind: 'disabled' });
    const stranger = keys.lookup('new');
    keys.doubtAll();
    const later = keys.lookup('new');
    await slow.asked[3]?.answer('known');
    await slow.asked[4]?.answer('disabled');
    expect([await stranger, await later]).toEqual([KNOWN, { kind: 'disabled' }]);
  });

  it('the time to live begins with the question', async () => {
    const keys = directory({ ttlMs: 2_000 });
    const first = keys.lookup('key-0');
    nowMs += 900;
    await slow.asked[0]?.answer();
    await first;
    nowMs += 1_099;
    expect(keys.lookup('key-0')).toEqual(KNOWN);
    nowMs += 1;
    const late = keys.lookup('key-0');
    expect(late).toBeInstanceOf(Promise);
    await slow.asked[1]?.answer('disabled');
    expect(await late).toEqual({ kind: 'disabled' });
  });

  it('all keys doubted at once are asked about few at a time, each once, in order, and are served meanwhile', async () => {
    const keys = await knowing(200, { maxUnderWay: 8 });
    keys.doubtAll();
    for (let round = 0; round < 3; round += 1) for (let at = 0; at < 200; at += 1) expect(keys.lookup(`key-${at}`)).toEqual(KNOWN);
    expect(slow.asked).toHaveLength(208);
    await slow.answerAll(200, (hash) => (hash === keyHash('key-150') ? 'disabled' : 'known'));
    expect([slow.asked.length, slow.most]).toEqual([400, 8]);
    expect(slow.asked.slice(200).map(({ hash }) => hash)).toEqual(Array.from({ length: 200 }, (_, at) => keyHash(`key-${at}`)));
    expect(keys.lookup('key-150')).toEqual({ kind: 'disabled' });
  });

  it('a caller that is known is served past its time while its question waits its turn, for ten seconds at once, later after a second', async () => {
    const keys = await knowing(3, { maxUnderWay: 1, ttlMs: 2_000 });
    nowMs += 3_000;
    const front = keys.lookup('key-0');
    expect(front).toBeInstanceOf(Promise);
    expect(keys.lookup('key-1')).toEqual(KNOWN);
    expect(keys.lookup('key-2')).toEqual(KNOWN);
    expect(keys.stats.stale).toBe(2);
    nowMs += 9_000;
    const [waits, isAsked] = [keys.lookup('key-2'), keys.lookup('key-1')];
    expect(waits).toBeInstanceOf(Promise);
    await slow.asked[3]?.answer();
    await slow.asked[4]?.answer('disabled');
    expect([await front, await isAsked, await waits]).toEqual([KNOWN, { kind: 'disabled' }, KNOWN]);
  });

  it('what is asked about known keys does not keep strangers out, nor the other way round', async () => {
    const keys = await knowing(50, { maxUnderWay: 4, maxStrangers: 4, ttlMs: 2_000 });
    keys.doubtAll();
    for (let at = 0; at < 50; at += 1) keys.lookup(`key-${at}`);
    const strangers = Array.from({ length: 5 }, (_, at) => keys.lookup(`new-${at}`));
    expect(await strangers[4]).toMatchObject({ kind: 'unavailable' });
    await slow.answerAll(50);
    for (const each of await Promise.all(strangers.slice(0, 4))) expect(each).toEqual(KNOWN);
    // Guesses that were refused and come again are strangers still.
    for (let at = 0; at < 4; at += 1) {
      const guess = keys.lookup(`guess-${at}`);
      await slow.asked.at(-1)?.answer('unknown');
      await guess;
    }
    nowMs += 3_000;
    slow.most = 0;
    for (let at = 0; at < 4; at += 1) void keys.lookup(`guess-${at}`);
    const good = keys.lookup('key-7');
    expect(slow.asked.at(-1)?.hash).toBe(keyHash('key-7'));
    await slow.asked.at(-1)?.answer();
    expect(await good).toEqual(KNOWN);
  });

  it('R43 a line that stood when the control plane went away goes on when it is back', async () => {
    const keys = await knowing(10, { maxUnderWay: 2, ttlMs: 2_000 });
    const all = (): unknown[] => Array.from({ length: 10 }, (_, at) => keys.lookup(`key-${at}`));
    keys.doubtAll();
    all();
    for (let at = 10; at < slow.asked.length; at += 1) await slow.asked[at]?.fail();
    const failed = slow.asked.length;
    expect(failed).toBeLessThan(16);
    nowMs += 5_000;
    expect(all()).toEqual(Array.from({ length: 10 }, () => KNOWN));
    // One of them is the probe.
    expect(slow.asked).toHaveLength(failed + 1);
    await slow.answerAll(failed);
    void all();
    await slow.answerAll(failed + 1);
    expect(new Set(slow.asked.slice(failed).map(({ hash }) => hash)).size).toBe(10);
    expect(all()).toEqual(Array.from({ length: 10 }, () => KNOWN));
  });

  it('a control plane that answers too late is asked less, and more again when it answers', async () => {
    const keys = directory({ maxStrangers: 256 });
    const ask = (round: string): unknown[] => Array.from({ length: 40 }, (_, at) => keys.lookup(`${round}-${at}`));
    const first = ask('first');
    expect(slow.asked).toHaveLength(32);
    await slow.asked[0]?.fail();
    await slow.asked[1]?.fail();
    for (let at = 2; at < 26; at += 1) await slow.asked[at]?.answer();
    // Half of half of them, and one more for each of 24 answers; none of the 8 in line had to be refused.
    expect(slow.asked).toHaveLength(40);
    await slow.answerAll(26);
    const found = await Promise.all(first);
    expect(found.filter((each) => (each as { kind: string }).kind === 'known')).toHaveLength(38);
    slow.most = 0;
    ask('second');
    expect(slow.most).toBe(40);
  });
});
