import type { Outcome, Quota } from '@sluice/algorithms';
import type { ServerState } from './breaker.js';
import type { StoreFault } from './store-fault.js';

/** One question to one counter. */
export interface Ask {
  /** The encoded counter key (R11). */
  readonly key: string;
  readonly quota: Quota;
  /** Fewest permits worth having; with `want` 0 the cost that a peek asks about. */
  readonly need: number;
  /** Most permits wanted; 0 is a peek, which writes nothing. */
  readonly want: number;
  /** Unspent permits of an older lease, returned in the same step before the take; 0 for none. */
  readonly backAmount: number;
  readonly backBucket: number;
}

/** Permits that go back to the bucket they were charged to. */
export interface GiveBack {
  readonly key: string;
  readonly quota: Quota;
  readonly amount: number;
  readonly bucket: number;
}

/** An amount to charge whatever is left, beyond the limit too (R14). */
export interface Debit {
  readonly key: string;
  readonly quota: Quota;
  readonly amount: number;
  /** Charges only a counter that holds no use; default false. */
  readonly onlyIfAbsent?: boolean;
}

export type Answer = Outcome | StoreFault;

/** A sign of life of one node. A record, so that more can ride on it. */
export interface Heartbeat {
  /** Names the deployment: its nodes count one another. */
  readonly key: string;
  readonly nodeId: string;
  /** How long the node counts after this, ms, by the store's clock; 0: it leaves. */
  readonly ttlMs: number;
}

/** What a node hears in return. */
export interface Heard {
  /** Nodes that count now, this one included. */
  readonly nodes: number;
}

/**
 * Where the shared counters live. Two real ones: memory (one process) and Redis. Calls never reject: a fault is a value, one
 * for each question. The store's own clock decides (R6).
 */
export interface CounterStore {
  /** Answers at once, where the counters are at hand; absent on a remote store. */
  takeNow?(ask: Ask): Outcome;
  /**
   * One question, answered by itself, exactly once; those of one tick go out together. A store without it is asked by {@link take}. Answers
   * within the call, with a fault `open`, when the counter's server is left alone.
   */
  ask?(ask: Ask, answered: (answer: Answer) => void): void;
  /** Whether the server that has this counter answers (R40); absent where nothing can fail. */
  stateOf?(key: string): ServerState;
  /** Independent questions in one round trip; the answers in the same order. */
  take(asks: readonly Ask[]): Promise<readonly Answer[]>;
  /** All or nothing: either every ask is granted at least its need, or nothing is charged anywhere (R8). */
  takeAll(asks: readonly Ask[]): Promise<readonly Answer[]>;
  /** Resolves to the permits given back for each entry, 0 when it came too late. */
  giveBack(returns: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]>;
  /** Each answer's `granted` is what was charged: less than the amount only at the counter's ceiling (R14). */
  charge(debits: readonly Debit[]): Promise<readonly Answer[]>;
  /** Keeps a record for `ttlMs`, at least 1, until it is claimed (R14). Resolves to undefined when it is kept. Doing it twice does no harm. */
  reserve(key: string, record: string, ttlMs: number): Promise<StoreFault | undefined>;
  /**
   * Hands a record to one claimant of all nodes; undefined for whoever else comes, and when there is none. After a fault the same claimant
   * may ask again for some seconds: its answer may have been lost. A claimant is letters, digits, `-` and `_`.
   */
  claim(key: string, claimant: string): Promise<string | undefined | StoreFault>;
  /** Forgets counters. */
  reset(keys: readonly string[]): Promise<void>;
  /** Says that a node lives (R41); absent on a store that nodes do not share. */
  heartbeat?(beat: Heartbeat): Promise<Heard | StoreFault>;
  close(): Promise<void>;
}
