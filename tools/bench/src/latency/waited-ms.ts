import { readFileSync } from 'node:fs';

/** How long the main thread of a process has had work and no processor so far, ms, by Linux's `schedstat`; NaN elsewhere. */
export function waitedMs(pid: number): number {
  try {
    const [, waitedNs = Number.NaN] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return waitedNs / 1e6;
  } catch {
    return Number.NaN;
  }
}
