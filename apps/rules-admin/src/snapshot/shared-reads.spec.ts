import fc from 'fast-check';
import { SharedReads } from './shared-reads.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A database of one number, whose answers come when the test says. */
function database(): { written: number; reads: number; underWay: number; most: number; ask(): Promise<number>; answer(): void; fail(error: Error): void } {
  const answers: { readonly value: number; readonly resolve: (value: number) => void; readonly reject: (error: Error) => void }[] = [];
  return {
    written: 0,
    reads: 0,
    underWay: 0,
    most: 0,
    ask() {
      this.reads += 1;
      this.underWay += 1;
      this.most = Math.max(this.most, this.underWay);
      const value = this.written;
      return new Promise<number>((resolve, reject) => answers.push({ value, resolve, reject })).finally(() => (this.underWay -= 1));
    },
    answer() {
      const next = answers.shift();
      next?.resolve(next.value);
    },
    fail(error) {
      answers.shift()?.reject(error);
    },
  };
}

describe('R54 shared reads of the version', () => {
  it('all who ask in one turn share a read; who asks while it is under way shares the next', async () => {
    const rows = database();
    const reads = new SharedReads(() => rows.ask());
    const first = [reads.read(), reads.read(), reads.read()];
    await turn();
    await turn();
    expect(rows.reads).toBe(1);
    rows.written = 7;
    const later = [reads.read(), reads.read()];
    await turn();
    expect(rows.reads).toBe(1);
    rows.answer();
    expect(await Promise.all(first)).toEqual([0, 0, 0]);
    await turn();
    await turn();
    expect(rows.reads).toBe(2);
    rows.answer();
    expect(await Promise.all(later)).toEqual([7, 7]);
  });

  it('a read that fails fails those who shared it, and nobody else', async () => {
    const rows = database();
    const reads = new SharedReads(() => rows.ask());
    const first = reads.read();
    await turn();
    await turn();
    const second = reads.read();
    rows.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    await turn();
    rows.answer();
    expect(await second).toBe(0);
  });

  it('never an answer that is older than the question, one read at a time, whatever the order of things', async () => {
    const step = fc.constantFrom('write', 'ask', 'ask', 'answer', 'turn', 'turn');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const rows = database();
        const reads = new SharedReads(() => rows.ask());
        const asked: Promise<boolean>[] = [];
        for (const each of steps) {
          if (each === 'write') rows.written += 1;
          if (each === 'answer') rows.answer();
          if (each === 'turn') await turn();
          if (each === 'ask') {
            const { written } = rows;
            asked.push(reads.read().then((read) => read >= written));
          }
        }
        while (rows.underWay > 0 || (await Promise.race([Promise.all(asked).then(() => false), turn().then(() => true)]))) {
          rows.answer();
          await turn();
        }
        expect(await Promise.all(asked)).toEqual(asked.map(() => true));
        expect(rows.most).toBeLessThanOrEqual(1);
      }),
      { seed: 54, numRuns: 300 },
    );
  });
});
