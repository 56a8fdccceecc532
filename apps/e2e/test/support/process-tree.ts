import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process and its parent. */
interface Parentage {
  readonly pid: number;
  readonly parent: number;
  readonly zombie: boolean;
}

/** The pid and all its descendants. */
export function processTree(pid: number): number[] {
  const all = processes();
  const tree = [pid];
  for (const member of tree) tree.push(...all.filter(({ parent }) => parent === member).map((child) => child.pid));
  return tree;
}

/** Those of the processes that still run. A zombie has ended: in a container nobody may ever reap it. */
export function stillRunning(pids: readonly number[]): number[] {
  return processes().filter(({ pid, zombie }) => !zombie && pids.includes(pid)).map(({ pid }) => pid);
}

function processes(): Parentage[] {
  if (process.platform === 'linux') return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap(fromProc);
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, parent, stat = ''] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), zombie: stat.startsWith('Z') };
  });
}

/** By proc_pid_stat(5); the command's name may hold blanks and brackets. */
function fromProc(name: string): Parentage[] {
  try {
    const line = readFileSync(`/proc/${name}/stat`, 'utf8');
    const [state, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return [{ pid: Number(name), parent: Number(parent), zombie: state === 'Z' }];
  } catch {
    return []; // It ended between the look at the folder and the look at the file.
  }
}
