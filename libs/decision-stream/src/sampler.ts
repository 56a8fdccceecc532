import { LEAST_SAMPLED_SHARE } from '@sluice/events';

/** Below it a share would need skips that no small integer holds; an event in a million is as good as none, and no consumer takes less. */
export const LEAST_SHARE = LEAST_SAMPLED_SHARE;

/** What a sampler of share 0 counts down in one go. */
const LONG = 2 ** 30;

/**
 * Picks each of a row of things with the same chance, independently of the others, by counting down to the next pick: most calls are one decrement,
 * and how many lie between two picks is drawn from the geometric distribution that single draws would give.
 */
export class Sampler {
  private left: number;
  private drawn: number;
  /** Those before the current skip. */
  private skipped = 0;

  /** @param share chance of each: 0, or {@link LEAST_SHARE} to 1. */
  constructor(
    readonly share: number,
    private readonly random: () => number,
  ) {
    this.drawn = this.left = this.draw();
  }

  /** Whether the next one is picked. */
  picks(): boolean {
    this.left -= 1;
    return this.left === 0 && this.arrive();
  }

  /** How many were not picked. */
  get leftOut(): number {
    return this.skipped + this.drawn - this.left;
  }

  private arrive(): boolean {
    const isPick = this.share > 0;
    this.skipped += isPick ? this.drawn - 1 : this.drawn;
    this.drawn = this.left = this.draw();
    return isPick;
  }

  /** Calls until the next pick, that one among them. */
  private draw(): number {
    if (this.share === 1) return 1;
    if (this.share === 0) return LONG;
    // 1 - random is above 0, and of ln(1 - share) nothing is lost for small shares.
    return Math.min(LONG, Math.floor(Math.log(1 - this.random()) / Math.log1p(-this.share)) + 1);
  }
}
