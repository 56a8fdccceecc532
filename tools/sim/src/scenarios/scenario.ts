import type { Consistency, QuotaJson } from '@sluice/rules';

/** How requests come: evenly at random, or in bursts of half a second every two seconds (on and off for each node by itself). */
export type Arrivals = 'poisson' | 'bursty';

/** Which share each node gets: all the same, or like the cube of a random number, so that the first of 50 gets 27 % and the last 0.7 %. */
export type Spread = 'even' | 'skewed';

/** Something that happens to the fleet once, halfway through the run. */
export type Incident =
  /** All traffic moves from the first half of the nodes to the other at once. */
  | 'failover'
  /** One node dies with what it holds; its traffic goes to the others. */
  | 'death';

/** One simulated situation. */
export interface Scenario {
  readonly name: string;
  readonly quota: QuotaJson;
  /** Default: leased. */
  readonly consistency?: Consistency;
  /** Sub-counters of each counter (R28); default 1. */
  readonly shards?: number;
  readonly nodes: number;
  /** Keys that have a counter of their own each, equally busy; default 1. */
  readonly keys?: number;
  /** Requests per limit and window: 1.5 is 150 % of what may pass. */
  readonly load: number;
  /** How many windows are run; the first two warm up and do not count for the shares. */
  readonly windows: number;
  /** The same in the short set; absent where the scenario is not in it. */
  readonly shortWindows?: number;
  readonly arrivals?: Arrivals;
  readonly spread?: Spread;
  readonly incident?: Incident;
  /** {@link adaptiveLeases}; default 1. */
  readonly thrift?: number;
  readonly goals: Goals;
}

/** What a scenario has to show. Shares are from 0 to 1; what is absent is only reported. */
export interface Goals {
  /** R24: least admitted, as a share of what the exact algorithm admits on the same arrivals. */
  readonly ofExact?: number;
  /** R25: least admitted, as a share of the demand, capped by the limit. */
  readonly ofDemand?: number;
  /** R25: most script runs at the store a request. */
  readonly tripsPerRequest?: number;
  /** R26: most script runs in any 10 ms after a roll, in means. Not less than what chance alone gives, see `chancePeak`. */
  readonly rollPeak?: number;
  /** R27: most permits that die with a node, as a share of the limit. */
  readonly lost?: number;
  /** R24: no request is refused from memory that the store would have let pass for longer than a round trip. */
  readonly neverFalselyRefused?: boolean;
  /** R29: most requests that wait for the store, as a share. */
  readonly waited?: number;
  /** R29: permits that may pass too much, as a share of the limit, where a rule chose `approximate`; elsewhere none may (R23). */
  readonly tooMuch?: number;
}
