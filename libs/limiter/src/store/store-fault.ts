export type StoreFaultKind = 'timeout' | 'unavailable' | 'rejected';

/** The store did not answer, or answered with an error. A value in replies, never thrown at a caller of the limiter (R41, R45). */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';

  constructor(
    readonly kind: StoreFaultKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
