import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, parseIdentity, processTree, signalTree } from './process-table.js';

describe('the process table', () => {
  it('knows a live process, and does not take a later one with its pid for it', () => {
    const self = identify(process.pid);
    expect(isAlive(self)).toBe(true);
    if (process.platform === 'linux') expect(isAlive({ ...self, startTicks: '1' })).toBe(false);
  });

  it('knows that a process has ended', async () => {
    const child = spawn('true');
    const identity = identify(child.pid ?? 0);
    await once(child, 'exit');
    expect(isAlive(identity)).toBe(false);
  });

  it.each([
    ['4711 (sh) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 998877 19', { pid: 4711, startTicks: '998877' }],
    ['4711 (a) b) (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 998877 19\n', { pid: 4711, startTicks: '998877' }],
    ['4711\n', { pid: 4711 }],
    ['', undefined],
    ['1', undefined], // Never init, whatever a file says.
    ['-1', undefined],
  ])('reads %j', (text, identity) => {
    expect(parseIdentity(text)).toEqual(identity);
  });

  it('ends grandchildren in sessions of their own', async () => {
    const child = spawn('sh', ['-c', 'setsid sleep 60 & setsid sleep 60 & wait'], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const pid = child.pid ?? 0;
    while (processTree(pid).length < 3) await sleep(10);
    const members = signalTree(pid, 'SIGKILL');
    await exited;
    await sleep(50);
    expect(members).toHaveLength(3);
    expect(members.filter(isAlive)).toEqual([]);
  });
});
