import { MAX_SAMPLED_COST } from '@sluice/events';
import type { Decision, ObserveShadow } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';
import type { AllowSampling } from './allow-sampling.js';
import type { DecisionStream, StreamStats, UnauthenticatedReason } from './decision-stream.js';
import type { Drain } from './drain.js';
import type { EventRing } from './event-ring.js';
import type { Subject } from './noted.js';

const CLOSE_MS = 2_000;

export interface NodeStreamParts {
  readonly ring: EventRing;
  readonly drain: Drain;
  readonly sampling: AllowSampling;
  readonly snapshotVersion: () => number;
  readonly nowMs: () => number;
}

/** The stream of one node: what is on the path of a request is here and in the ring, and makes no object. */
export class NodeStream implements DecisionStream {
  /** Also the number of the last event: a gap in the numbers of a producer is what it dropped. */
  private offered = 0;
  private droppedFull = 0;
  private droppedStop = 0;
  private isOver = false;
  private closed: Promise<void> | undefined;
  private readonly ring: EventRing;
  private readonly sampling: AllowSampling;

  constructor(private readonly parts: NodeStreamParts) {
    this.ring = parts.ring;
    this.sampling = parts.sampling;
  }

  note(decision: Decision, attributes: RequestAttributes): void {
    let share = 1;
    // Of what is that dear each is sent: one that was picked would outweigh all others.
    if (decision.allowed && decision.cost <= MAX_SAMPLED_COST) {
      share = this.sampling.shareOf(decision);
      if (share === 0) return;
    }
    this.offer(decision, attributes, share, 0, 0);
  }

  readonly noteShadow: ObserveShadow = (applied, verdict, attributes, nowMs) => {
    if (verdict === 'denied') this.offer(applied, attributes, 1, nowMs, this.parts.snapshotVersion());
  };

  noteUnauthenticated(reason: UnauthenticatedReason, attributes: RequestAttributes): void {
    this.offer(reason, attributes, 1, this.parts.nowMs(), this.parts.snapshotVersion());
  }

  stats(): StreamStats {
    const { offered, droppedFull, droppedStop } = this;
    const { sent, dropped } = this.parts.drain;
    return { offered, sampledOut: this.sampling.leftOut, sent, droppedFull, droppedSink: dropped, droppedStop, waiting: this.isOver ? 0 : this.parts.drain.waiting };
  }

  close(): Promise<void> {
    this.closed ??= this.stop();
    return this.closed;
  }

  private async stop(): Promise<void> {
    const { drain } = this.parts;
    await drain.close(CLOSE_MS);
    this.isOver = true;
    this.droppedStop += drain.waiting;
    while (this.ring.take() !== undefined);
  }

  private offer(subject: Subject, attributes: RequestAttributes, share: number, atMs: number, snapshotVersion: number): void {
    this.offered += 1;
    if (this.closed !== undefined) this.droppedStop += 1;
    else if (!this.ring.offer(this.offered, subject, attributes, share, atMs, snapshotVersion)) this.droppedFull += 1;
  }
}
