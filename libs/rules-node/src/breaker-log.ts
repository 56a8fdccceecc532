import type { BreakerEvent } from '@sluice/limiter';
import type { Logger } from '@sluice/platform';

/** How long a server must stay well before the log says so: one that flaps makes two lines at most in this time. */
const WELL_MS = 2_000;

interface Trouble {
  readonly sinceMs: number;
  /** Runs while the server answers again and nobody was told yet. */
  recovery: NodeJS.Timeout | undefined;
}

/** Says in the log when a server of the counter store is given up and when it is back: one line each (R41). */
export class BreakerLog {
  private readonly troubles = new Map<string, Trouble>();

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly wellMs = WELL_MS,
  ) {}

  take({ server, state, reason }: BreakerEvent): void {
    const trouble = this.troubles.get(server);
    if (state === 'closed') {
      if (trouble !== undefined) trouble.recovery = this.recovery(server, trouble.sinceMs, performance.now());
    } else if (trouble === undefined) {
      this.troubles.set(server, { sinceMs: performance.now(), recovery: undefined });
      this.logger.warn({ server, reason: reason?.message, fault: reason?.kind }, 'this server of the counter store fails and is left alone; its rules decide by their fallback');
    } else {
      clearTimeout(trouble.recovery);
    }
  }

  private recovery(server: string, sinceMs: number, untilMs: number): NodeJS.Timeout {
    const told = setTimeout(() => {
      this.troubles.delete(server);
      this.logger.warn({ server, duration_ms: Math.round(untilMs - sinceMs) }, 'this server of the counter store is asked again');
    }, this.wellMs);
    return told.unref();
  }
}
