import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify } from './process-table.js';
import { withLock } from './with-lock.js';

const dir = mkdtempSync(join(tmpdir(), 'sluice-spec-'));
afterAll(() => rmSync(dir, { recursive: true }));

describe('withLock', () => {
  it('lets one in at a time and leaves nothing behind', async () => {
    const path = join(dir, 'one');
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, () =>
        withLock(path, 5_000, async () => {
          inside += 1;
          most = Math.max(most, inside);
          await sleep(3);
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('takes over from a holder that died, once', async () => {
    const path = join(dir, 'orphaned');
    writeFileSync(path, JSON.stringify({ pid: process.pid, startTicks: '1' }));
    let inside = 0;
    let most = 0;
    const enter = (): Promise<void> =>
      withLock(path, 5_000, async () => {
        most = Math.max(most, (inside += 1));
        await sleep(10);
        inside -= 1;
      });
    await Promise.all([enter(), enter(), enter()]);
    expect(most).toBe(1);
  });

  it('gives up on a holder that lives', async () => {
    const path = join(dir, 'held');
    writeFileSync(path, JSON.stringify(identify(process.pid)));
    await expect(withLock(path, 60, async () => undefined)).rejects.toThrow('was not free after 60 ms');
  });

  it('is free again after work that failed', async () => {
    const path = join(dir, 'failed');
    await expect(withLock(path, 1_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withLock(path, 1_000, async () => 'in')).toBe('in');
  });
});
