import type { RequestColumns, TextColumn } from '@sluice/replay';

/** Decisions by columns, as a replay takes them, and what puts them in order. */
export interface DecisionColumns extends RequestColumns {
  /** Who wrote the event: its id up to the last colon. */
  readonly producer: TextColumn;
  /** Its number among those of its producer: the rest of the id. */
  readonly sequence: Float64Array;
}

/** Texts of a dictionary, after which a scan goes on with a new one: so that it does not hold all keys of a month. */
export const MOST_TEXTS = 1_000_000;
