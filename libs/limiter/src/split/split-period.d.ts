/** From when to when a counter is split, by the store's clock, as this node heard it last. */
export declare class SplitPeriod {
    readonly counter: string;
    readonly shards: number;
    readonly fromMs: number;
    untilMs: number;
    private heardAtMs;
    constructor(counter: string, shards: number, fromMs: number, untilMs: number, heardAtMs: number);
    hear(untilMs: number, storeMs: number): void;
    /** It was heard of so lately that its end cannot have moved since, or has passed. */
    get knowsEnd(): boolean;
    /**
     * Whether the counter is split now. Its end is only moved on before the last beats, so who has heard of it lately knows it; who has not, since the store's
     * server of these is away, keeps to what it knows, as everybody does then.
     */
    covers(storeMs: number): boolean;
}
