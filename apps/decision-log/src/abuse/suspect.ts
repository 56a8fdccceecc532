/** What a pattern found. */
export interface Suspect {
  /** `key` or `ip`. */
  readonly subjectKind: 'key' | 'ip';
  readonly subject: string;
  /** Keys that an override would be for. */
  readonly keyIds: readonly string[];
  /** End of the window that it was found in, ms. */
  readonly windowEndMs: number;
  /** What was counted there. */
  readonly observed: number;
  /** Standard error of {@link observed}, which sampling brings; 0 where all was recorded. */
  readonly standardError: number;
  /** What it was measured by. */
  readonly threshold: number;
}

/** Most suspects that one look at one pattern takes up: the worst. */
export const MOST_SUSPECTS = 100;
/** Keys of one address that an override is proposed for; the finding names how many there were. */
export const MOST_KEYS = 50;
