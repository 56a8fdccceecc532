import type { ProcessIdentity } from './process-table.js';

/** What the reaper must know to end one server: `servers/TOKEN.json` in the run's folder, its pid beside it in `TOKEN.pid`. */
export interface ServerRegistration {
  /** The process that must be alive for the server to stay; absent for one that lives as long as the run. */
  readonly owner?: ProcessIdentity;
  /** SIGKILL, or a milder signal that is given 2 s first. */
  readonly stopSignal: NodeJS.Signals;
  /** Removed with the server. */
  readonly dataDir: string;
}
