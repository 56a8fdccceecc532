/** Broker errors that say that the member is out of the group, or of this generation of it: its partitions may be somebody else's. */
const LOST: ReadonlySet<unknown> = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'FENCED_INSTANCE_ID']);

/** Whether others joined or left, and the group waits for its members to come back; until then the partitions are theirs still. */
function isRebalance(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'REBALANCE_IN_PROGRESS';
}

function isLoss(error: unknown): boolean {
  return error instanceof Error && 'type' in error && LOST.has(error.type);
}

/**
 * Keeps a member in its group while a handler runs, however long, and hears what the group has to say meanwhile. kafkajs itself sends heartbeats only
 * between batches.
 */
export class GroupHeartbeat {
  private readonly timer: NodeJS.Timeout;
  private readonly heard = new AbortController();
  private fault: unknown;
  private lost = false;

  /** @param beat sends one, when it is due */
  constructor(beat: () => Promise<void>, everyMs: number) {
    this.timer = setInterval(() => {
      beat().catch((error: unknown) => this.hear(error));
    }, everyMs);
  }

  /** Aborts when the group wants its members back, or has thrown this one out. */
  get recalled(): AbortSignal {
    return this.heard.signal;
  }

  /** Whether what the member has in hand may be somebody else's by now. */
  get isLost(): boolean {
    return this.lost;
  }

  /** What to throw to kafkajs, so that it joins again. */
  get reason(): unknown {
    return this.fault;
  }

  hear(error: unknown): void {
    // Whatever else goes wrong (a broker that is away) is for the commit to find out.
    if (!isRebalance(error) && !isLoss(error)) return;
    if (this.fault === undefined || isLoss(error)) this.fault = error;
    this.lost ||= isLoss(error);
    this.heard.abort();
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
