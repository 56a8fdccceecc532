const OFFSET_NOISE_MS = 5;
/** What a trip says of the store's clock is right to some ms: smaller changes are noise, which would make reset times flicker (R6). */
export function noteOffset(stats, storeNowMs, sentAtMs, nowMs) {
    const offsetMs = storeNowMs - Math.round((sentAtMs + nowMs) / 2);
    if (Math.abs(offsetMs - stats.storeOffsetMs) > OFFSET_NOISE_MS)
        stats.storeOffsetMs = offsetMs;
}
//# sourceMappingURL=store-offset.js.map