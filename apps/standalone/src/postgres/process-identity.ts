import { readFileSync } from 'node:fs';
import { hasCode } from './has-code.js';

/** A process that a later one with the same pid is not taken for. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since boot; empty where there is no /proc, and then the pid has to do. */
  readonly started: string;
}

export function identify(pid: number): ProcessIdentity {
  return { pid, started: readStat(pid)?.started ?? '' };
}

/** Whether that very process still runs. A zombie does not: in a container nobody may ever reap it. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  if (started !== '') {
    const stat = readStat(pid);
    return stat !== undefined && stat.state !== 'Z' && stat.started === started;
  }
  if (!(pid > 0)) return false; // Signals to 0 and below go to groups.
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive, too.
    return hasCode(error, 'EPERM');
  }
}

/** State and start of a process by proc_pid_stat(5); the command before them may hold blanks and brackets. */
function readStat(pid: number): { readonly state: string; readonly started: string } | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[19]];
    return state === undefined || started === undefined ? undefined : { state, started };
  } catch {
    return undefined;
  }
}
