import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

// Only node: imports here: the reaper loads this file natively, without a compiler.

/** A process that a later one with the same pid cannot be mistaken for. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot, from /proc; absent where there is no /proc. */
  readonly startTicks?: string;
}

interface Stat {
  readonly pid: number;
  readonly state: string;
  readonly parentPid: number;
  readonly startTicks: string;
}

/** Parses a line of /proc/PID/stat; the command's name may hold spaces and brackets (proc_pid_stat(5)). */
function parseStat(line: string): Stat | undefined {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parentPid] = fields;
  const startTicks = fields[19];
  if (state === undefined || parentPid === undefined || startTicks === undefined) return undefined;
  return { pid: Number.parseInt(line, 10), state, parentPid: Number(parentPid), startTicks };
}

function readStat(pid: number): Stat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Reads what a launched process wrote about itself: its stat line, or its bare pid where there is no /proc. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const pid = Number.parseInt(text, 10);
  if (!(pid > 1)) return undefined;
  const stat = text.includes(')') ? parseStat(text.trim()) : undefined;
  return stat === undefined ? { pid } : { pid, startTicks: stat.startTicks };
}

/** The identity of a running process. */
export function identify(pid: number): ProcessIdentity {
  const stat = readStat(pid);
  return stat === undefined ? { pid } : { pid, startTicks: stat.startTicks };
}

/** Whether that very process still runs. A zombie has ended: in a container nobody may ever reap it. */
export function isAlive({ pid, startTicks }: ProcessIdentity): boolean {
  if (startTicks !== undefined) {
    const stat = readStat(pid);
    return stat !== undefined && stat.state !== 'Z' && stat.startTicks === startTicks;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** The system's name for what failed. No `instanceof Error`: under Jest, node's own errors come from another realm. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function parents(): Map<number, number> {
  const table = new Map<number, number>();
  if (process.platform === 'linux') {
    for (const name of readdirSync('/proc')) {
      const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
      if (stat !== undefined) table.set(stat.pid, stat.parentPid);
    }
    return table;
  }
  for (const line of execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')) {
    const [pid, parentPid] = line.trim().split(/\s+/).map(Number);
    if (pid !== undefined && parentPid !== undefined) table.set(pid, parentPid);
  }
  return table;
}

/** The pid and all its descendants: PostgreSQL's backends leave its process group, so a group is not enough. */
export function processTree(pid: number): number[] {
  const table = parents();
  const tree = [pid];
  for (const member of tree) {
    for (const [child, parent] of table) if (parent === member) tree.push(child);
  }
  return tree;
}

/** Sends a signal to one process, if it is still there. */
export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended between the look and the signal: no fault of the caller's.
  }
}

/** Sends a signal to a process and all its descendants, and returns who they were. */
export function signalTree(pid: number, name: NodeJS.Signals): ProcessIdentity[] {
  // Held still first, or it could fork between the look and the signal.
  if (name === 'SIGKILL' || name === 'SIGSTOP') signalProcess(pid, 'SIGSTOP');
  const members = processTree(pid).map(identify);
  for (const member of members) signalProcess(member.pid, name);
  return members;
}
