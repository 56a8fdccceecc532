import { NEVER } from '@sluice/algorithms';
import type { Decision, DecisionReason, PolicyOutcome } from './decision.js';

/** No outcomes at all: no rule applied, or none in shadow. */
export const NONE: readonly PolicyOutcome[] = Object.freeze([]);

/** What decisions of one instant have in common. */
export interface Moment {
  /** By the store's clock. */
  readonly nowMs: number;
  readonly snapshotVersion: number;
}

/**
 * The decision of one request. What follows from the outcomes is worked out when somebody asks, and the list of a single one made then
 * (docs/adr/0016-decision-values.md). `JSON.stringify` writes all fields out; a spread does not.
 */
export class RequestDecision implements Decision {
  /** @param all the enforced outcomes, `deciding` among them; undefined where it is the only one. */
  constructor(
    readonly deciding: PolicyOutcome | undefined,
    private all: readonly PolicyOutcome[] | undefined,
    readonly shadow: readonly PolicyOutcome[],
    readonly cost: number,
    private readonly moment: Moment,
  ) {}

  get policies(): readonly PolicyOutcome[] {
    this.all ??= this.deciding === undefined ? NONE : [this.deciding];
    return this.all;
  }

  get allowed(): boolean {
    return this.deciding === undefined || this.deciding.allowed;
  }

  get reason(): DecisionReason {
    return this.deciding === undefined ? 'no_rule' : this.deciding.reason;
  }

  get retryAfterMs(): number | undefined {
    if (this.allowed) return undefined;
    let longest = 0;
    for (const { allowed, retryMs } of this.policies) {
      if (allowed) continue;
      // A violated policy that can never be met by waiting (R9).
      if (retryMs === NEVER) return undefined;
      longest = Math.max(longest, retryMs);
    }
    return longest;
  }

  get delayMs(): number {
    if (!this.allowed) return 0;
    let longest = 0;
    for (const { delayMs } of this.policies) longest = Math.max(longest, delayMs);
    return longest;
  }

  get nowMs(): number {
    return this.moment.nowMs;
  }

  get snapshotVersion(): number {
    return this.moment.snapshotVersion;
  }

  toJSON(): Decision {
    const { allowed, reason, deciding, policies, shadow, retryAfterMs, delayMs, cost, nowMs, snapshotVersion } = this;
    return { allowed, reason, deciding, policies, shadow, retryAfterMs, delayMs, cost, nowMs, snapshotVersion };
  }
}
