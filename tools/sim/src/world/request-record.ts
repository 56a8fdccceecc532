/** What became of one request. Times are virtual ms. */
export interface RequestRecord {
  readonly arrivedAtMs: number;
  readonly key: number;
  allowed: boolean;
  /** Answered from memory. */
  local: boolean;
  /** When it was charged or refused: for an answer from the store, when the store decided. NaN while undecided. */
  decidedAtMs: number;
}
