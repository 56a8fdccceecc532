import { granted, refused, storeAway, tooCostly } from './outcomes.js';
import { withoutStore } from './without-store.js';
/**
 * What a limiter answers that is closing or closed: as while the store is away (R41), all limits or none (R8). It holds no lease, makes no trip and
 * remembers no key, so that requests that keep coming do not keep it from ending (R44).
 */
export function closedOutcomes({ leases, fallback }, applied, attributes, cost, nowMs) {
    const seats = applied.map((one) => {
        const { key, capacity } = leases.find(one, attributes, nowMs);
        return { one, key, never: cost > capacity };
    });
    const never = seats.some((seat) => seat.never);
    const taken = seats.map(({ one: { rule, quota }, key }) => (never ? { kind: 'spared' } : withoutStore(fallback, { key, quota, rule }, cost)));
    const passes = !never && taken.every((landing) => landing?.kind === 'granted');
    return seats.map((seat, at) => {
        const { one, key } = seat;
        const landing = taken[at];
        if (landing?.kind === 'granted' && !passes)
            fallback.giveBack(key, one.quota, cost, landing.bucket);
        const { remaining, resetMs } = fallback.peek(key, one.quota, cost);
        const seen = { remainingHint: () => remaining, resetInMs: () => resetMs };
        return seat.never ? tooCostly(one, seen, nowMs) : outcomeOf(one, seen, landing, { key, quota: one.quota, amount: cost }, passes, nowMs);
    });
}
function outcomeOf(one, seen, landing, charged, passes, nowMs) {
    switch (landing?.kind) {
        case 'granted':
            return passes ? granted(one, seen, 'fallback', { ...charged, bucket: landing.bucket }, landing.delayMs, nowMs) : granted(one, seen, 'fallback', undefined, 0, nowMs);
        case 'spared':
            return granted(one, seen, 'fallback', undefined, 0, nowMs);
        case 'refused':
            return refused(one, seen, 'fallback', charged.amount, landing.retryMs, nowMs);
        default:
            return storeAway(one);
    }
}
//# sourceMappingURL=closed-outcomes.js.map