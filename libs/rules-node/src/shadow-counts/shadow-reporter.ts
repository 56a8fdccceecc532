import { randomBytes } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import type { ObserveShadow } from '@sluice/limiter';
import type { Logger } from '@sluice/platform';
import type { CountsMessage, SendCounts } from './send-counts.js';
import { KEPT_MS, ShadowCounts, type Unsent } from './shadow-counts.js';

export interface ShadowReporterOptions {
  readonly send: SendCounts;
  /** By the store's clock. */
  readonly nowMs: () => number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Default 10 s, times a random 0.75 to 1.25. */
  readonly everyMs?: number;
}

const TIMEOUT_MS = 5_000;
/** What a stop waits for the last report. */
const FLUSH_MS = 1_000;
/** The control plane takes bodies of 64 KiB and 500 lines. */
const MOST_LINES = 400;
const MOST_BYTES = 48_000;
/** After so long without a rule in shadow the node says that nobody need wait for it. */
const QUIET_MS = KEPT_MS + 120_000;

/**
 * Brings what rules in shadow would have said to the control plane (R58): cumulative counts, sent again until they are acknowledged. As long as there is no
 * rule in shadow there is nothing: no timer, no message.
 */
export class ShadowReporter {
  private readonly counts = new ShadowCounts();
  /** A run of its own: counts of another run begin at 0. */
  private readonly nodeId = randomBytes(12).toString('base64url');
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> = Promise.resolve();
  private lastNotedMs = 0;
  private failing = false;
  private ignoring = false;
  private closed = false;

  constructor(private readonly options: ShadowReporterOptions) {}

  /** Requests that no report will have. */
  get dropped(): number {
    return this.counts.dropped;
  }

  /** Lines that the control plane took no notice of. */
  ignored = 0;

  readonly note: ObserveShadow = (applied, verdict, attributes, nowMs) => {
    this.counts.note(applied, verdict, attributes, nowMs);
    this.lastNotedMs = nowMs;
    if (this.timer === undefined && !this.closed) this.schedule();
  };

  /** Sends what is left, and that it was the last. */
  async close(): Promise<void> {
    const ran = this.timer !== undefined;
    this.closed = true;
    clearTimeout(this.timer);
    if (!ran) return;
    const signal = AbortSignal.timeout(FLUSH_MS);
    // What is under way has a longer time than a stop has.
    await Promise.race([this.sending, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
    await this.report(signal, true);
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      const last = this.isQuiet();
      this.sending = this.report(AbortSignal.timeout(TIMEOUT_MS), last).then(() => {
        if (this.closed) return;
        // Only once that was said, and unless something came meanwhile.
        if (last && this.isQuiet()) this.timer = undefined;
        else this.schedule();
      });
    }, (this.options.everyMs ?? 10_000) * (0.75 + Math.random() / 2)).unref();
  }

  private isQuiet(): boolean {
    return this.options.nowMs() - this.lastNotedMs > QUIET_MS;
  }

  private async report(signal: AbortSignal, last: boolean): Promise<void> {
    const nowMs = this.options.nowMs();
    const droppedBefore = this.counts.dropped;
    const minutes = this.counts.unsent(nowMs);
    if (this.counts.dropped > droppedBefore) this.options.logger.warn({ requests: this.counts.dropped - droppedBefore }, 'what rules in shadow would have said of these requests is lost: the control plane took no counts for ten minutes');
    try {
      // As far as it is taken: without the control plane one part is made, not all of ten minutes.
      let part: readonly Unsent[] = [];
      for (const next of partsOf(minutes)) {
        if (part.length > 0) await this.send(part, {}, signal);
        part = next;
        await pause();
      }
      await this.send(part, { complete_until: new Date(nowMs).toISOString(), ...(last && { last }) }, signal);
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.options.logger.warn({ err: error }, 'the control plane took no counts of rules in shadow; they are kept for ten minutes');
      this.failing = true;
    }
  }
  private async send(part: readonly Unsent[], end: Pick<CountsMessage, 'complete_until' | 'last'>, signal: AbortSignal): Promise<void> {
    const { ignored } = await this.options.send({ node_id: this.nodeId, ...end, counts: part.map(({ line }) => line) }, signal);
    for (const { acknowledge } of part) acknowledge();
    if (part.length === 0) return;
    this.ignored += ignored;
    if (ignored > 0 && !this.ignoring) this.options.logger.warn({ lines: ignored, of: part.length }, 'the control plane ignored counts of rules in shadow, since their rules are deleted, or by its clock their minutes are long over or lie ahead: then the clocks of the counter store and of the database differ');
    this.ignoring = ignored > 0;
  }
}

/** What fits into a message each. */
function* partsOf(minutes: Iterable<readonly Unsent[]>): Iterable<readonly Unsent[]> {
  let part: Unsent[] = [];
  let bytes = 0;
  for (const minute of minutes) {
    for (const unsent of minute) {
      const size = Buffer.byteLength(JSON.stringify(unsent.line)) + 1;
      if (part.length >= MOST_LINES || bytes + size > MOST_BYTES) {
        yield part;
        part = [];
        bytes = 0;
      }
      part.push(unsent);
      bytes += size;
    }
  }
  if (part.length > 0) yield part;
}
