import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sharedServer } from './shared-server.js';

describe('sharedServer', () => {
  it('starts once for all who ask at the same time, and again when it died', async () => {
    let starts = 0;
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const start = async (): Promise<{ address: number; pids: number[] }> => {
      starts += 1;
      return { address: starts, pids: [starts === 1 ? (child.pid ?? 0) : process.pid] };
    };
    const name = `spec-${process.pid}`;
    expect(await Promise.all([1, 2, 3].map(() => sharedServer(name, start)))).toEqual([1, 1, 1]);
    child.kill('SIGKILL');
    await exited;
    expect(await sharedServer(name, start)).toBe(2);
  });

  it('tries again after a start that failed', async () => {
    const name = `failing-${process.pid}`;
    await expect(sharedServer(name, () => Promise.reject(new Error('no such program')))).rejects.toThrow('no such program');
    expect(await sharedServer(name, async () => ({ address: 'ok', pids: [process.pid] }))).toBe('ok');
  });
});
