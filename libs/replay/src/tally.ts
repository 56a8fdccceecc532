/** Sums over recorded requests, weighted by what each stands for. */
export class Tally {
  /** Recorded ones. */
  events = 0;
  requests = 0;
  refused = 0;
  cost = 0;
  refusedCost = 0;
  /** Of the requests of which it is known what really happened. */
  known = 0;
  reallyRefused = 0;
  newlyRefused = 0;
  newlyAllowed = 0;
  /** Variance of {@link requests} that comes from sampling: the sum of (1 - share) / share². */
  variance = 0;

  /**
   * @param requests that the event stands for
   * @param refused how many of them the replay refuses
   */
  add(requests: number, refused: number, cost: number, share: number, wasAllowed: boolean | undefined): void {
    this.events += 1;
    this.requests += requests;
    this.refused += refused;
    this.cost += requests * cost;
    this.refusedCost += refused * cost;
    if (share < 1) this.variance += requests * requests * (1 - share);
    if (wasAllowed === undefined) return;
    this.known += requests;
    if (wasAllowed) this.newlyRefused += refused;
    else {
      this.reallyRefused += requests;
      this.newlyAllowed += requests - refused;
    }
  }

  merge(other: Tally): void {
    this.events += other.events;
    this.requests += other.requests;
    this.refused += other.refused;
    this.cost += other.cost;
    this.refusedCost += other.refusedCost;
    this.known += other.known;
    this.reallyRefused += other.reallyRefused;
    this.newlyRefused += other.newlyRefused;
    this.newlyAllowed += other.newlyAllowed;
    this.variance += other.variance;
  }
}
