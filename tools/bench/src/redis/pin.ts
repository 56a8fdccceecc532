import { spawnSync } from 'node:child_process';

/** Binds a process to one processor, where the machine lets us; else nothing happens, and figures are noisier. */
export function pin(pid: number, processor: number): boolean {
  return spawnSync('taskset', ['-a', '-cp', String(processor), String(pid)]).status === 0;
}
