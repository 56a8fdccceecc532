/**
 * Values by number; one that was not asked for in one to two spans is forgotten, or when there are too many others. No timer for each: two
 * maps that change places.
 */
export declare class Generations<V> {
    private readonly spanMs;
    private readonly most;
    private young;
    private old;
    private turnAtMs;
    /** @param most values of each map: twice as many at most are kept. */
    constructor(spanMs: number, most: number);
    get size(): number;
    get(key: number): V | undefined;
    set(key: number, value: V): void;
    tick(nowMs: number): void;
    private turn;
}
