/**
 * For how many requests an event of a share stands, as an integer that counters can be charged with: the fractions of one share are carried on, so that
 * no request is lost in the sum.
 */
export class Weights {
  private readonly carried = new Map<number, number>();

  of(share: number): number {
    if (share >= 1) return 1;
    const due = 1 / share + (this.carried.get(share) ?? 0);
    const weight = Math.max(1, Math.floor(due));
    this.carried.set(share, due - weight);
    return weight;
  }
}
