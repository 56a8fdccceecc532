import type { PolicyOutcome } from './decision.js';

/** What came of it, and when by the node's clock: the spans in the outcomes count from then. */
export interface Evaluation {
  readonly policies: readonly PolicyOutcome[];
  readonly nowMs: number;
}
