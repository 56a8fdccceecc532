import { spawnSync } from 'node:child_process';

/** Binds a process to one processor, where the machine lets us; else nothing happens, and figures are noisier. */
export function pin(pid: number, processor: number): boolean {
  return spawnSync('taskset', ['-a', '-cp', String(processor), String(pid)]).status === 0;
}

/**
 * Binds the main thread of a process alone. What helps it, as the collector of a node does, runs where there is room, as on any machine with more than one
 * processor: bound to the same one it would take that away for whole time slices.
 */
export function pinMainThread(pid: number, processor: number): boolean {
  return spawnSync('taskset', ['-cp', String(processor), String(pid)]).status === 0;
}
