import { randomBytes } from 'node:crypto';
import { DEFAULT_KEY_PREFIX, keyPrefix as checkedPrefix, nodesKey, splitsKey } from '@sluice/lua-scripts';
import type { RuleIndex } from '@sluice/rules';
import { Credits } from './approximate/credits.js';
import { Refunds } from './approximate/refunds.js';
import { systemClock, type Clock } from './clock.js';
import { Engine } from './engine.js';
import { Fallback } from './fallback.js';
import { Fleet } from './fleet/fleet.js';
import { GiveBacks } from './give-backs.js';
import { IdleWheel } from './lease/idle-wheel.js';
import { adaptiveLeases, type LeaseSizing } from './lease/lease-sizing.js';
import type { Lease } from './lease/lease.js';
import type { TermsBook } from './lease/terms-book.js';
import { Leases } from './lease/leases.js';
import { MOST_KEYS } from './lease/lease-table.js';
import { Rechecks } from './lease/rechecks.js';
import type { Limiter } from './limiter.js';
import { newStats } from './limiter-stats.js';
import type { ObserveShadow } from './shadow/observe-shadow.js';
import { AutoSplits } from './split/auto-splits.js';
import { checkedHotKeys, type HotKeys } from './split/hot-keys.js';
import { TripCounts } from './split/trip-counts.js';
import { Settlements } from './settlement/settlements.js';
import type { CounterStore } from './store/counter-store.js';
import { SideCalls } from './store/side-calls.js';
import { Dispatcher } from './trip/dispatcher.js';
import { GiveBackQueue } from './trip/give-back-queue.js';

export interface LimiterOptions {
  readonly store: CounterStore;
  readonly rules: RuleIndex;
  /** Default: {@link systemClock}. */
  readonly clock?: Clock;
  /** Default: {@link adaptiveLeases} by `random`. */
  readonly sizing?: LeaseSizing;
  /** From 0 to below 1, for what only has to be spread out; default: Math.random. Seeded, with the sizing's, a run on the same clock repeats. */
  readonly random?: () => number;
  /** Nodes that share each limit while the store is away; absent: as many as beat to the store, the last known count while it is away (R41). */
  readonly fleetSize?: number | undefined;
  /** Tells this node from the others of the fleet; default: random. */
  readonly nodeId?: string | undefined;
  /** Most permits of one lease where a rule names no `max_lease`; default 10,000. */
  readonly maxLease?: number;
  /** Most keys that the node remembers; default 1,000,000, at most 15,728,638. */
  readonly maxKeys?: number;
  /** Most keys of one rule before further ones share a counter; default 500,000. */
  readonly maxKeysPerRule?: number;
  /**
   * When counters are split by themselves (R28). Default: on a store that spreads keys over several servers, by {@link DEFAULT_HOT_KEYS}; false: never. One of the
   * same for all nodes of a deployment: those that never split do not hear of it either.
   */
  readonly hotKeys?: HotKeys | false | undefined;
  /** Hears what rules in shadow would have said (R58); with it their outcomes are counted, whether or not somebody waits for the decision. */
  readonly onShadow?: ObserveShadow | undefined;
  /** Keeps several deployments apart on one store; default `s`. */
  readonly keyPrefix?: string;
}

/**
 * A node's limiter over a counter store.
 * @throws RangeError for a number that is not an integer of at least 1 or too great, an empty node id, or a key prefix that would break a hash tag.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { store, rules, clock = systemClock(), random = Math.random, sizing = adaptiveLeases(random) } = options;
  const { fleetSize, nodeId = randomBytes(12).toString('base64url'), maxLease = 10_000, maxKeys = 1_000_000, maxKeysPerRule = 500_000 } = options;
  if (nodeId === '') throw new RangeError('nodeId must not be empty: nodes of one name count as one');
  if (maxKeys > MOST_KEYS) throw new RangeError(`maxKeys must be at most ${MOST_KEYS}, got ${maxKeys}`);
  for (const [name, value] of Object.entries({ fleetSize: fleetSize ?? 1, maxLease, maxKeys, maxKeysPerRule })) {
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} must be an integer of at least 1, got ${value}`);
  }
  const stats = newStats();
  const hotKeys = options.hotKeys === undefined && store.spreads !== true ? false : (options.hotKeys ?? {});
  const splitting = hotKeys === false ? undefined : { hotKeys: checkedHotKeys(hotKeys), trips: new TripCounts() };
  // Where nothing can fail there is nothing to count.
  const side = store.takeNow === undefined ? new SideCalls(store, stats) : store;
  const returns = new GiveBackQueue(side, stats);
  const wheel = new IdleWheel(clock.nowMs(), {
    due: (lease: Lease) => dispatcher.returnBalance(lease),
    quiet: (lease: Lease) => leases.retire(lease),
  });
  const keyPrefix = checkedPrefix(options.keyPrefix ?? DEFAULT_KEY_PREFIX);
  const made: { leases?: Leases } = {};
  const fleet = new Fleet({ store: side, clock, key: nodesKey(keyPrefix), nodeId, configured: fleetSize, splits: () => made.leases?.auto });
  const credits = new Credits({
    store: side,
    clock,
    fleet,
    sizing,
    stats,
    wheel,
    maxLease,
    giveBack: (lease) => dispatcher.returnBalance(lease),
    forgetful: (nowMs): boolean => leases.isForgetful(nowMs),
  });
  const dispatcher = new Dispatcher({ store, clock, sizing, wheel, returns, credits, stats, trips: splitting?.trips, maxLease });
  const refunds = new Refunds(side, credits);
  const fallback = new Fallback(clock, fleet, maxKeys);
  const autoSplits = splitting && ((book: TermsBook) => new AutoSplits({ ...splitting, store: side, clock, stats, book, nodeId, key: splitsKey(keyPrefix) }));
  const rechecks = new Rechecks(random);
  const leases: Leases = new Leases({ clock, rechecks, keyPrefix, homeOf: (shards) => fleet.seatOf(shards), autoSplits, fallback, credits, dispatcher, wheel, stats, maxKeys, maxKeysPerRule });
  made.leases = leases;
  const settlements = new Settlements({ store: side, clock, fallback, leases, refunds, stats, keyPrefix });
  const giveBacks = new GiveBacks({ store: side, clock, refunds, fallback, leases });
  return new Engine({ store, clock, trips: splitting?.trips, dispatcher, wheel, fallback, fleet, leases, credits, rechecks, refunds, returns, settlements, giveBacks, stats, rules, onShadow: options.onShadow });
}
