import { Warnings } from '../skin/warnings.js';
import type { InProcessLimiter, InProcessOptions, RemoteLimiter, RemoteOptions } from './open-limiter-options.js';
import { isRemote } from './check-options.js';
import { openInProcess } from './open-in-process.js';
import { openRemote } from './open-remote.js';

/** More than a process has use for, and within this time. */
const MANY = 10;
const WITHIN_MS = 1_000;
let openedAtMs: number[] = [];

/**
 * Opens what the skins ask, once, when the process starts: an engine in this process (`rules`), or the decision service (`decision`).
 * Waits two seconds at most for Redis; whether something is away is no error, and is told by `status()` and `onProblem`.
 *
 * ```ts
 * const limiter = await openLimiter({ rules: { adminUrl: 'http://127.0.0.1:3000', token }, redisUrl: 'redis://127.0.0.1:6379' });
 * await limiter.ready;
 * app.use(rateLimit({ limiter }));
 * ```
 * @throws TypeError for options that are none, or that name both ways or neither; RangeError for a value that is none
 */
export async function openLimiter(options: InProcessOptions): Promise<InProcessLimiter>;
export async function openLimiter(options: RemoteOptions): Promise<RemoteLimiter>;
export async function openLimiter(options: InProcessOptions | RemoteOptions): Promise<InProcessLimiter | RemoteLimiter>;
export async function openLimiter(options: InProcessOptions | RemoteOptions): Promise<InProcessLimiter | RemoteLimiter> {
  const remote = isRemote(options);
  noticeMany(performance.now());
  return remote ? openRemote(options) : openInProcess(options);
}

function noticeMany(nowMs: number): void {
  openedAtMs = [...openedAtMs.filter((ms) => nowMs - ms < WITHIN_MS), nowMs];
  if (openedAtMs.length > MANY) new Warnings(undefined).tell('SLUICE_LIMITERS_PER_REQUEST');
}
