/**
 * Counters to which permits came back, by name, until a request meets the refusal that this node remembers of one: the table knows no
 * names. Bounded by two generations.
 */
export declare class RefreshedKeys {
    private young;
    private old;
    private turnAtMs;
    get isEmpty(): boolean;
    add(key: string, nowMs: number): void;
    /** Whether permits came back to it since it was asked for the last time. */
    take(key: string): boolean;
    tick(nowMs: number): void;
    private turn;
}
