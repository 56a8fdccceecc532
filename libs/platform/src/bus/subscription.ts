/** A running subscription. */
export interface Subscription {
  /** Resolves when messages published from then on arrive; a bus that is down makes it wait, never reject. */
  readonly ready: Promise<void>;
  /** Waits for the handler that is running. */
  close(): Promise<void>;
}
