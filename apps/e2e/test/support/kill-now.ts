/** kill -9 for one process that is known. To -1 the signal would go to every process of this user, to 0 to those of this run. */
export function killNow(pid: number | undefined): void {
  if (pid === undefined || !Number.isInteger(pid) || pid <= 1) throw new Error(`no process to kill: ${String(pid)}`);
  process.kill(pid, 'SIGKILL');
}
