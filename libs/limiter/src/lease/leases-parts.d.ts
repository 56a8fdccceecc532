import type { Credits } from '../approximate/credits.js';
import type { Clock } from '../clock.js';
import type { Fallback } from '../fallback.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { Dispatcher } from '../trip/dispatcher.js';
import type { AutoSplits } from '../split/auto-splits.js';
import type { IdleWheel } from './idle-wheel.js';
import type { Rechecks } from './rechecks.js';
import type { TermsBook } from './terms-book.js';
/** What the leases of a node works with. */
export interface LeasesParts {
    readonly clock: Clock;
    readonly dispatcher: Dispatcher;
    readonly wheel: IdleWheel;
    readonly stats: LimiterStats;
    readonly fallback: Fallback;
    readonly credits: Credits;
    readonly rechecks: Rechecks;
    /** Most keys that a node remembers; the least recently used go first, after their permits went back (R30). */
    readonly maxKeys: number;
    /** This node's place among so many shards of a split counter. */
    readonly homeOf: (shards: number) => number;
    /** Makes what splits hot counters by itself; absent: nothing does. */
    readonly autoSplits?: ((book: TermsBook) => AutoSplits) | undefined;
    /** Before every counter's key. */
    readonly keyPrefix: string;
    /** Most keys of one rule; later ones share one counter (R11). */
    readonly maxKeysPerRule: number;
}
