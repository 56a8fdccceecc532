/** What one batch of a chore came to. */
export interface Swept {
  /** How much was put away. */
  readonly count: number;
  /** Whether there may be more. */
  readonly more: boolean;
}

/** Something to be put away in the background now and then, on every replica: where that matters, it sees to it that one works at a time. */
export interface Chore {
  /** As the metric has it. */
  readonly name: string;
  /** One batch, in a short transaction. */
  readonly sweep: () => Promise<Swept>;
}
