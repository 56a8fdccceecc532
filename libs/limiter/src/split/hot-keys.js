export const DEFAULT_HOT_KEYS = { share: 0.2, tripsPerSecond: 500, shards: 8 };
/**
 * The choices with the defaults filled in.
 * @throws RangeError for what is no object, a share that is not above 0 and at most 1, a rate below 1, or shards that are not 2 to 64.
 */
export function checkedHotKeys(choice) {
    // From a caller without types; `true` would read as an object without a choice.
    if (typeof choice !== 'object')
        throw new RangeError(`hotKeys must be false or an object, got ${String(choice)}`);
    const { share, tripsPerSecond, shards } = { ...DEFAULT_HOT_KEYS, ...choice };
    if (!(share > 0 && share <= 1))
        throw new RangeError(`share must be above 0 and at most 1, got ${share}`);
    if (!(tripsPerSecond >= 1))
        throw new RangeError(`tripsPerSecond must be at least 1, got ${tripsPerSecond}`);
    if (!Number.isSafeInteger(shards) || shards < 2 || shards > 64)
        throw new RangeError(`shards must be an integer from 2 to 64, got ${shards}`);
    return { share, tripsPerSecond, shards };
}
//# sourceMappingURL=hot-keys.js.map