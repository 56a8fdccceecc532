/** What is needed of a socket of `ws`, or of one like it. */
export interface MessageSocket<Data> {
  on(event: 'message', listener: (data: Data, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  emit(event: 'error', error: Error): unknown;
  close(code: number, reason: string): void;
  /** Stops reading while a decision is under way; what has been read already waits in a queue. */
  pause(): void;
  resume(): void;
}

/** Of RFC 6455, section 7.4.1, and IANA's registry. */
export const CLOSE = { policyViolation: 1008, internalError: 1011, tryAgainLater: 1013 } as const;
