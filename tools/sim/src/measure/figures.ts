/** What one run of a scenario came to. Shares are from 0 to 1, counts are of the span after the warm-up unless said otherwise. */
export interface Figures {
  readonly scenario: string;
  readonly seed: number;
  /** Requests, and what of them could pass at most: the demand, capped by limit and time. */
  readonly requests: number;
  readonly demand: number;
  readonly admitted: number;
  readonly exactAdmitted: number;
  /** Most admitted in any trailing window from the start on, for the worst key; of Sluice and of the exact algorithm. */
  readonly mostInWindow: number;
  readonly exactMostInWindow: number;
  /** From the start on; see `Replay`. */
  readonly overAdmitted: number;
  readonly falselyRefused: number;
  readonly tripsPerRequest: number;
  /** Requests that had to wait for the store, as a share. */
  readonly waited: number;
  /** Script runs at the store in 10 ms: mean, most after a roll, most ever, and the most that chance alone would give. */
  readonly meanTrips: number;
  readonly mostTripsAfterRoll: number;
  readonly mostTrips: number;
  readonly chanceTrips: number;
  /** Permits that died with a node. */
  readonly lost: number;
}
