/**
 * Values that end at a time, and no more of them than a bound: beyond it the oldest goes. What has ended is not there; its memory is
 * freed by a sweep that rides on the puts, so there is no timer (known failures 43 and 68).
 */
export declare class ExpiringMap<V> {
    private readonly maxSize;
    private readonly entries;
    private sweep;
    constructor(maxSize: number);
    /** Entries in memory, ended ones that no sweep has met included. */
    get size(): number;
    get(key: string, nowMs: number): V | undefined;
    put(key: string, value: V, endsAtMs: number, nowMs: number): void;
    /** The value, which is gone then. */
    take(key: string, nowMs: number): V | undefined;
    clear(): void;
    private forgetEnded;
    private forgetOldest;
}
