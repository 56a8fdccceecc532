/** When a node asks for a counter to be split by itself (R28), and over how many shards. */
export interface HotKeys {
    /** Of the node's questions to the store, the share that one counter must have; default 0.2. */
    readonly share?: number;
    /** And so many of them a second; default 500. */
    readonly tripsPerSecond?: number;
    /** Default 8; fewer where a shard would have less than 20 permits, or less than four times the greatest cost that was asked for. */
    readonly shards?: number;
}
export declare const DEFAULT_HOT_KEYS: Required<HotKeys>;
/**
 * The choices with the defaults filled in.
 * @throws RangeError for what is no object, a share that is not above 0 and at most 1, a rate below 1, or shards that are not 2 to 64.
 */
export declare function checkedHotKeys(choice: HotKeys): Required<HotKeys>;
