/** The store cannot be asked now; the same may work later. Answered with 503, and a batch is written again. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** What was asked reads more than the store will; the message says what to narrow. Answered with 422. */
export class QueryTooLarge extends Error {
  override readonly name = 'QueryTooLarge';
}
