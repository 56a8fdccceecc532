import type { Outcome, Quota, Usage } from '@sluice/algorithms';
import type { SplitCounter } from '@sluice/lua-scripts';
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
  /** Charges an earlier bucket, as {@link CounterStore.usage} names it, where an algorithm has several; too late for it charges nothing. */
  readonly bucket?: number;
}

/** A counter by its key. */
export type Counted = Pick<Debit, 'key' | 'quota'>;

/** What a node has to say of split counters (R28). */
export interface SplitsAsk {
  readonly key: string;
  readonly proposals: readonly SplitProposal[];
  /** From a proposal until the counter is split, ms: as long as all nodes take to hear of it. */
  readonly leadMs: number;
  /** For how long it is split after the last proposal, ms. */
  readonly holdMs: number;
  /** For how long a counter is not split again that must not be, ms. */
  readonly barMs: number;
  /** Counters beyond it are not split. */
  readonly most: number;
}

/** A counter to be split; 0 shards: not to be split any longer. */
export type SplitProposal = Pick<SplitCounter, 'counter' | 'shards'>;

export type Answer = Outcome | StoreFault;

/** A sign of life of one node. A record, so that more can ride on it. */
export interface Heartbeat {
  /** Names the deployment: its nodes count one another. */
  readonly key: string;
  readonly nodeId: string;
  /** How long the node counts after this, ms, by the store's clock; 0: it leaves. */
  readonly ttlMs: number;
  readonly splits?: SplitsAsk;
}

/** What a node hears in return. */
export interface Heard {
  /** Nodes that count now, this one included. */
  readonly nodes: number;
  /** How many of them come before this one, in an order that all agree on. */
  readonly place: number;
  /** Counters that are split or about to be, and the store's clock; absent where nothing was asked of them, or not heard. */
  readonly splits?: { readonly counters: readonly SplitCounter[]; readonly nowMs: number };
}

/** Who waits for the answer to a question. An object that is there anyway, since questions are many. */
export interface AskEnd {
  answered(answer: Answer): void;
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
  ask?(ask: Ask, end: AskEnd): void;
  /** Whether the server that has this counter answers (R40); absent where nothing can fail. */
  stateOf?(key: string): ServerState;
  /** Independent questions in one round trip; the answers in the same order. */
  take(asks: readonly Ask[]): Promise<readonly Answer[]>;
  /** All or nothing: either every ask is granted at least its need, or nothing is charged anywhere (R8). */
  takeAll(asks: readonly Ask[]): Promise<readonly Answer[]>;
  /** Resolves to the permits given back for each entry, 0 when it came too late. */
  giveBack(returns: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]>;
  /**
   * Each answer's `granted` is what was charged: less than the amount only at the counter's ceiling (R14). `late` hears of a debit that was charged
   * after all, though its answer had been a fault.
   */
  charge(debits: readonly Debit[], late?: (debit: Debit, outcome: Outcome) => void): Promise<readonly Answer[]>;
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
  /** Counters lie on several servers, by key, so that splitting one spreads its load; absent: they do not. */
  readonly spreads?: boolean;
  /** What is in use, by the buckets that it was charged to (R28); absent where counters are not split by themselves. */
  usage?(counters: readonly Counted[]): Promise<readonly (Usage | StoreFault)[]>;
  /** Whether this node is the one of all to do a step of a split that the heartbeat told of. @param key that of the {@link SplitsAsk} */
  claimMove?(key: string, counter: string, step: string, nodeId: string): Promise<boolean | StoreFault>;
  close(): Promise<void>;
}
