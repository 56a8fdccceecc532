/** Span of one demand bucket, ms: long enough to see 2 requests a second, short enough to follow a burst. */
export declare const SPAN_MS = 500;
/** The number of the span that this time is in. */
export declare function spanOf(sinceMs: number): number;
