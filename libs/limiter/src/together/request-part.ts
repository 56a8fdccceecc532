import type { GivenLimit, RequestAttributes } from '@sluice/rules';

/** One part of a request that is decided as a whole. */
export interface RequestPart {
  readonly attributes: RequestAttributes;
  /** An integer of at least 0; 0 is a peek. */
  readonly cost: number;
  /** Takes the place of the rules for this part. */
  readonly given?: GivenLimit | undefined;
}
