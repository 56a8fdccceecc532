import type { StreamMessage, StreamSink } from './decision-stream.js';
import type { EventRing } from './event-ring.js';
import type { EventWriter } from './event-writer.js';
import { Rest } from './rest.js';

/** Messages of one call of the sink. A Kafka client in JavaScript holds the event loop for some 10 µs each, in one go. */
const BATCH = 100;
/** Of the last calls, when nobody waits for the event loop: larger ones are sooner through. */
const CLOSING_BATCH = 1_000;
/** How long an event may wait for others. */
const IDLE_MS = 100;
/** The event loop is held for no longer than this at a time. */
const SLICE_MS = 1;
/** A look at the clock each so many events. */
const LOOK = 8;
/** Rest after a slice, as a multiple of it: writing takes a fifth of the time at most. */
const REST = 4;
/** Timers are late on a busy node, and now and then early: that much is made up for. */
const MAKE_UP_MS = 20;
/** The longest pause after a batch of which the sink took nothing. */
const MAX_AWAY_MS = 2_000;

export interface DrainParts {
  readonly ring: EventRing;
  readonly writer: EventWriter;
  readonly sink: StreamSink;
  readonly maxPerSecond: number;
}

/**
 * Writes what waits and hands it to the sink, a batch at a time: the next one is not begun before the sink has answered, so that the ring is all that
 * fills while it is slow or away. Rests between batches bound what it takes of the processor.
 */
export class Drain {
  sent = 0;
  /** Not taken by the sink, or not to be written. */
  dropped = 0;
  private readonly rest = new Rest();
  private batch: StreamMessage[] = [];
  /** Written and not yet answered for. */
  private unanswered = 0;
  private isClosing = false;
  private isOver = false;
  private awayMs = 0;
  /** When the next batch may begin by the most that is sent in a second, as `performance.now()` has it. */
  private dueMs = 0;
  private readonly done: Promise<void>;

  constructor(private readonly parts: DrainParts) {
    this.done = this.run();
  }

  /** Events that are neither sent nor dropped. */
  get waiting(): number {
    return this.parts.ring.waiting + this.unanswered;
  }

  /** Sends what waits, without rests, for at most so long; what is still waiting then stays so. */
  async close(withinMs: number): Promise<void> {
    this.isClosing = true;
    this.rest.end();
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.done, new Promise((resolve) => (timer = setTimeout(resolve, withinMs)))]);
    clearTimeout(timer);
    this.isOver = true;
  }

  private async run(): Promise<void> {
    let restMs = IDLE_MS;
    while (!this.isOver && !(this.isClosing && this.waiting === 0)) {
      await this.rest.for(restMs);
      const startMs = performance.now();
      await this.fill();
      const count = this.batch.length;
      if (count > 0) await this.handOver();
      this.dueMs = Math.max(this.dueMs, startMs - MAKE_UP_MS) + (count * 1_000) / this.parts.maxPerSecond;
      restMs = Math.max(this.dueMs - performance.now(), this.awayMs, count < BATCH ? IDLE_MS : 0);
    }
  }

  /** Writes until the batch is full or nothing waits, in slices. */
  private async fill(): Promise<void> {
    for (;;) {
      const startMs = performance.now();
      if (this.slice(startMs)) return;
      await this.rest.for(REST * (performance.now() - startMs));
      if (this.isOver) return;
    }
  }

  /** True when the batch is as full as it gets. */
  private slice(startMs: number): boolean {
    const { ring, writer } = this.parts;
    const size = this.isClosing ? CLOSING_BATCH : BATCH;
    while (this.batch.length < size) {
      const noted = ring.take();
      if (noted === undefined) return true;
      try {
        this.batch.push(writer.write(noted));
        this.unanswered += 1;
      } catch {
        // A decision of somebody else's that breaks its type: it must not take the node with it.
        this.dropped += 1;
      }
      if (this.batch.length % LOOK === 0 && performance.now() - startMs > SLICE_MS) return false;
    }
    return true;
  }

  private async handOver(): Promise<void> {
    const batch = this.batch;
    this.batch = [];
    const accepted = await this.accepted(batch);
    if (this.isOver) return;
    this.unanswered = 0;
    this.sent += accepted;
    this.dropped += batch.length - accepted;
    this.awayMs = accepted > 0 ? 0 : Math.min(MAX_AWAY_MS, Math.max(IDLE_MS, 2 * this.awayMs));
  }

  /** A sink that breaks its word must not end the stream, nor its counts. */
  private async accepted(batch: readonly StreamMessage[]): Promise<number> {
    try {
      const count = await this.parts.sink.send(batch);
      return Number.isInteger(count) ? Math.min(batch.length, Math.max(0, count)) : 0;
    } catch {
      return 0;
    }
  }
}
