import type { PollResult, PollTiming } from './poll-delay.js';
import { pollDelayMs } from './poll-delay.js';

export interface PollLoopOptions extends PollTiming {
  /** One poll; never rejects. */
  readonly poll: () => Promise<PollResult>;
  /** Whether a newer version is known to exist than the one at hand. */
  readonly behind: () => boolean;
  /** Told when a version that was announced is not to be had, and the loop goes back to its pace. */
  readonly giveUp: () => void;
  /** A wake is answered within this random time, so that a fleet does not ask in one instant. */
  readonly wakeSpreadMs: number;
}

export interface PollLoop {
  start(): void;
  /** Polls soon; many wakes become one poll, and none is lost to a poll that is under way. */
  wake(): void;
  /** Stops, and resolves when the poll under way has ended. */
  close(): Promise<void>;
}

/** Polls for an announced version at 100, 200, … 3200 ms, since the read replica behind the control plane may lag. */
const CHASE_FIRST_MS = 100;
const CHASES = 6;

/** The pace of the polls: one under way at a time, a timer for the next. */
export function createPollLoop(options: PollLoopOptions): PollLoop {
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let failures = 0;
  let chases = 0;
  let unauthorized = false;
  let closed = false;

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    if (closed) return;
    dueAtMs = performance.now() + delayMs;
    timer = setTimeout(run, delayMs);
    // The server of the process keeps it alive, not this.
    timer.unref();
  }

  function run(): void {
    if (closed) return;
    clearTimeout(timer);
    dueAtMs = Number.POSITIVE_INFINITY;
    running = options.poll().then((result) => {
      running = undefined;
      schedule(nextDelayMs(result));
    });
  }

  function nextDelayMs(result: PollResult): number {
    failures = result.kind === 'failed' ? failures + 1 : 0;
    unauthorized = result.kind === 'unauthorized';
    if (result.kind === 'ok' && options.behind()) {
      if (chases < CHASES) return CHASE_FIRST_MS * 2 ** chases++;
      options.giveUp();
    }
    return pollDelayMs(result, failures, options);
  }

  return {
    start: () => schedule(0),
    wake() {
      // A refused token does not become good by asking again.
      if (closed || unauthorized) return;
      chases = 0;
      if (running !== undefined) return;
      const delayMs = options.random() * options.wakeSpreadMs;
      if (performance.now() + delayMs < dueAtMs) schedule(delayMs);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
