import type { Decision, ObserveShadow } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';

/** A message for `sluice.decisions.v1`. */
export interface StreamMessage {
  readonly key: string;
  readonly value: string;
}

/** Where events go: a bus, or whatever a gateway of one's own has. */
export interface StreamSink {
  /** Sends them in this order. Resolves to how many were accepted, counted from the first; the others are dropped, and counted. One call at a time. Never rejects. */
  send(messages: readonly StreamMessage[]): Promise<number>;
}

/** Why nobody was decided about: nothing was shown, or nothing that is known. */
export type UnauthenticatedReason = 'no_credentials' | 'unknown_credentials';

/** Counts since the start. */
export interface StreamStats {
  /** Events that were to be sent, after sampling. */
  readonly offered: number;
  /** Decisions that allowed and were left out by sampling. */
  readonly sampledOut: number;
  readonly sent: number;
  /** Lost because the ring was full, because the sink did not take them, or at the stop. */
  readonly droppedFull: number;
  readonly droppedSink: number;
  readonly droppedStop: number;
  /** In the ring now. */
  readonly waiting: number;
}

/** What a node puts what it decides into (R80). No call waits, fails, or does more than to fill a slot. */
export interface DecisionStream {
  /** Takes a decision. `attributes` must not be changed afterwards. */
  note(decision: Decision, attributes: RequestAttributes): void;
  /** Takes what a rule in shadow would have said; for `onShadow` of the limiter. */
  readonly noteShadow: ObserveShadow;
  /** Takes a request that was refused for want of credentials. */
  noteUnauthenticated(reason: UnauthenticatedReason, attributes: RequestAttributes): void;
  stats(): StreamStats;
  /** Sends what waits, for at most 2 s. */
  close(): Promise<void>;
}
