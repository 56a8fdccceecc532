import { unlessAborted } from './unless-aborted.js';

describe('R44 a start that waits can be given up', () => {
  const never = new Promise<never>(() => undefined);

  it('while it waits, and before', async () => {
    const giveUp = new AbortController();
    const waiting = unlessAborted(never, giveUp.signal);
    giveUp.abort();
    await expect(waiting).rejects.toThrow('stopped before it had started');
    await expect(unlessAborted(never, giveUp.signal)).rejects.toThrow('stopped before it had started');
  });

  it('and otherwise comes to what it waited for', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(5), signal)).toBe(5);
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });
});
