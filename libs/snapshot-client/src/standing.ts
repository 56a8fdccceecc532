import type { PollResult } from './poll-delay.js';
import type { SnapshotClientOptions } from './snapshot-client-options.js';
import type { SnapshotStatus } from './snapshot-status.js';
import type { Teller } from './teller.js';

/** What of a status the rules themselves say. */
export type HeldStatus = Pick<SnapshotStatus, 'version' | 'restored'>;

const OK: PollResult = { kind: 'ok' };

/** How the polls went, and what became of it: the part of a {@link SnapshotStatus} that is not the rules. */
export class Standing {
  readonly polls = { requests: 0, whole: 0, delta: 0, unfit: 0, unchanged: 0, failed: 0 };
  unauthorized = false;
  copyFault: string | undefined;
  private confirmedAtMs: number | undefined;
  private stale = false;
  private lastError: string | undefined;
  private refusal: string | undefined;
  private refused = 0;

  constructor(
    private readonly alarms: Pick<SnapshotClientOptions, 'onRefused' | 'onError'>,
    private readonly teller: Teller,
  ) {}

  /** The rules in force were good so long ago: those of the copy on disk. */
  knownFor(ageMs: number): void {
    this.confirmedAtMs = performance.now() - ageMs;
  }

  /**
   * The rules in force are what the control plane has.
   * @param staleMs how long it has not asked its database: then nothing new is known of the age of what was confirmed before
   */
  confirmed(staleMs: number | undefined): PollResult {
    this.stale = staleMs !== undefined;
    if (staleMs === undefined || this.confirmedAtMs === undefined) this.knownFor(staleMs ?? 0);
    this.lastError = undefined;
    this.refusal = undefined;
    return OK;
  }

  failed(reason: string, retryAfterMs: number): PollResult {
    this.polls.failed += 1;
    this.lastError = reason;
    this.teller.tell('onError', this.alarms.onError, reason);
    return { kind: 'failed', retryAfterMs };
  }

  refuse(reason: string): PollResult {
    this.refused += 1;
    this.refusal = reason;
    this.lastError = undefined;
    this.teller.tell('onRefused', this.alarms.onRefused, reason);
    return OK;
  }

  status(held: HeldStatus): SnapshotStatus {
    const { lastError, refusal, refused, unauthorized, stale, copyFault, confirmedAtMs, polls } = this;
    const ageMs = confirmedAtMs === undefined ? undefined : Math.round(performance.now() - confirmedAtMs);
    return { ...held, ageMs, lastError, refusal, refused, unauthorized, stale, copyFault, polls: { ...polls } };
  }
}
