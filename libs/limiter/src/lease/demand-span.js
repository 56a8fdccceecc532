/** Span of one demand bucket, ms: long enough to see 2 requests a second, short enough to follow a burst. */
export const SPAN_MS = 500;
/** The number of the span that this time is in. */
export function spanOf(sinceMs) {
    return Math.floor(sinceMs / SPAN_MS);
}
//# sourceMappingURL=demand-span.js.map