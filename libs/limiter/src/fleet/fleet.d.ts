import { type Clock } from '../clock.js';
import type { CounterStore } from '../store/counter-store.js';
import type { AutoSplits } from '../split/auto-splits.js';
export interface FleetParts {
    readonly store: Pick<CounterStore, 'heartbeat'>;
    readonly clock: Clock;
    /** The key that all nodes of the deployment have in common. */
    readonly key: string;
    readonly nodeId: string;
    /** Nodes as configured; absent: as heard. */
    readonly configured?: number | undefined;
    /** Says and hears with each beat which counters are split (R28); absent: nobody asks. */
    readonly splits?: () => Pick<AutoSplits, 'ask' | 'hear'> | undefined;
}
/**
 * How many nodes share each limit while the store is away (R41). While it is there each node beats to it about each second and hears how
 * many do; when it is away the last count stands. Never on the path of a request, and one beat in the air at most, so that none pile up
 * before a store that hangs.
 *
 * More nodes are believed at once, fewer after {@link TTL_MS} to twice that: a store that comes back empty counts one, and may fail again
 * before the others have beaten.
 */
export declare class Fleet {
    private readonly parts;
    /** The most heard since `sinceMs`, and in the span before. */
    private most;
    private before;
    private sinceMs;
    private beating;
    private answers;
    private place;
    private readonly stop;
    constructor(parts: FleetParts);
    /** What is configured, else what was heard last, else 1: nobody can tell a node that has never reached its store how many it is one of. */
    get size(): number;
    /**
     * Whether the size can be built on while the store is there: what is configured, or what the second beat heard. The first one of a fleet that
     * starts in one instant hears of those alone that were quicker.
     */
    get isSettled(): boolean;
    /** Which of so many seats is this node's: those of the fleet lie evenly over all of them. Until it has heard, by its name. */
    seatOf(seats: number): number;
    /** No longer counts, as soon as the store knows of it; ends within the store's timeout (R44). */
    leave(): Promise<void>;
    private beat;
    private hear;
}
