import type { Logger } from '../logging/create-logger.js';

/** How a process ends. */
export interface StopOptions {
  readonly logger: Logger;
  /** Closes all that the process runs; it may be several apps. */
  readonly close: () => Promise<unknown>;
  /** The process ends by then, closed or not. Default 10 s (R44). */
  readonly deadlineMs?: number;
}

/**
 * On SIGTERM, SIGINT or SIGHUP closes once and ends the process: code 0 when all closed in time, else 1. Not Nest's shutdown hooks: those
 * know neither a deadline nor a second app in the process, and kill the process when the first is done.
 */
export function stopOnSignal({ logger, close, deadlineMs = 10_000 }: StopOptions): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    const end = (code: number): void => {
      clearTimeout(deadline);
      logger.flush();
      process.exit(code);
    };
    const deadline = setTimeout(() => {
      logger.error({ deadline_ms: deadlineMs }, 'not stopped in time');
      end(1);
    }, deadlineMs).unref();
    close().then(
      () => end(0),
      (error: unknown) => {
        logger.error({ err: error }, 'failed to stop cleanly');
        end(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // A terminal that was closed.
  process.on('SIGHUP', stop);
}
