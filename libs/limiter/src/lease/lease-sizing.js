import { leaseSpanMs } from '@sluice/algorithms';
/** Three bits in the table of counters. */
export const MAX_PRESSURE = 7;
/** A node that dies loses what it held: at most this share of a limit (R27). */
const LIMIT_SHARE = 0.02;
/**
 * Permits ahead of need, as a real number, that a node may hold of a counter: of the limit, or of a burst below it, since 2 % of a day's limit can be many
 * times the burst. Less than that is next to nothing. Of a limit or a burst below 50 it is less than one permit, so nothing is held ahead of need.
 */
export function mostHeld({ limit, burst }) {
    return Math.min(limit, burst) * LIMIT_SHARE;
}
/** A level with a burst below its limit is full again long before a window is over, and what drains then is lost: intervals go by so many times that span. */
const DRAIN_SPANS = 4;
/** Trips closer together than some round trips, or a hundredth of the bucket, bring nothing. */
const LEAST_MS = 10;
const LEAST_SHARE = 100;
/** The interval while there is enough, in parts of the bucket, for a node with a fiftieth of the limit's rate; the middle of the range. */
const CALM_PARTS = 48;
const CALM_RATE_SHARE = 0.02;
const CALM_LEAST_PARTS = 20;
const CALM_MOST_MS = 1000;
/** Under pressure: so many requests share a trip (R25), at least; and so long for a node with the whole limit's rate, in parts of the window. */
const REQUESTS_PER_TRIP = 20;
const PRESSED_ROOT_SHARE = 0.011;
const PRESSED_LEAST_PARTS = 8;
const PRESSED_MOST_MS = 2000;
const SHORT_BUCKET_MS = 20;
/** Of the full grants that could lower the pressure, so many do. */
const EASE = 0.5;
/** The last part of a bucket, in intervals, in which a pressed node asks in its first and in its second half. */
const ZONE = 0.8;
const ZONE_MIDDLE = 0.5;
const ZONE_END = 0.2;
const ZONE_FROM_PRESSURE = 2;
/** Over how many intervals a fleet comes back after the roll. */
const COME_BACK = 2;
const REPORT_PARTS = 20;
const REPORT_MOST_MS = 1000;
/** Standard deviations in reserve for a lease that lasts to the end of its bucket. */
const RESERVE = 2;
/**
 * Leases that follow the key's own rate and how hard the store is pressed (docs/adr/0011-lease-sizing.md). An interval is random, within
 * 25 %, so that nodes that came together do not stay together (R26).
 * @param thrift how long the intervals under pressure are: at 150 % load on 50 nodes 1 makes 0.063 trips a request and admits 98.6 % of the limit, 0.4 makes 0.12 and admits 99.1 %.
 */
export function adaptiveLeases(random, thrift = 1) {
    const between = (least, most) => least + (most - least) * random();
    function plan({ quota, ratePerMs, leftMs, tight, pressure }) {
        const calmMs = calmIntervalMs(quota, ratePerMs);
        const pressedMs = Math.max(calmMs, thrift * pressedIntervalMs(quota, ratePerMs));
        const intervalMs = calmMs * (pressedMs / calmMs) ** (pressure / MAX_PRESSURE);
        // What is left over at the end of a sub-bucket is not lost: it goes back, and the window still has it.
        const zoneMs = pressure < ZONE_FROM_PRESSURE || quota.subBuckets > 1 ? 0 : ZONE * intervalMs;
        const usualMs = intervalMs * between(0.75, 1.25);
        const lastCall = tight && leftMs < zoneMs;
        let paceMs = usualMs;
        if (leftMs < zoneMs * ZONE_MIDDLE)
            paceMs = leftMs + intervalMs * between(0, COME_BACK);
        else if (leftMs < zoneMs)
            paceMs = leftMs - Math.min(zoneMs * between(ZONE_END, ZONE_MIDDLE), leftMs * ZONE);
        else if (leftMs < zoneMs + usualMs)
            paceMs = leftMs - zoneMs * between(ZONE_MIDDLE, 1);
        const lastsMs = quota.algorithm === 'sliding_counter' || quota.algorithm === 'fixed_window' ? leftMs : leaseSpanMs(quota.windowMs);
        // While there is enough, the rest of a bucket is worth one ask, not two.
        const wholeRest = !tight && lastsMs < 2 * paceMs;
        const spent = ratePerMs * (wholeRest ? lastsMs : Math.min(paceMs, lastsMs));
        const ahead = Math.ceil(spent + (wholeRest ? RESERVE * Math.sqrt(spent) : 0));
        return {
            want: Math.min(ahead, Math.floor(mostHeld(quota))),
            paceMs,
            lastCall,
            eases: leftMs > usualMs && random() < EASE,
            jitterMs: quota.algorithm === 'fixed_window' && pressure >= ZONE_FROM_PRESSURE ? intervalMs * between(0, COME_BACK) : 0,
        };
    }
    return {
        plan,
        intervalMs: (quota) => Math.min(REPORT_MOST_MS, Math.max(SHORT_BUCKET_MS, spanMs(quota) / REPORT_PARTS)) * between(0.75, 1.25),
    };
}
/** Always the same chunk, whatever the demand, and no pace: the scheme of the textbooks, for comparison and for R20's arithmetic. */
export function fixedLeases(chunk) {
    return { plan: () => ({ want: chunk, paceMs: 0, lastCall: false, eases: false, jitterMs: 0 }), intervalMs: () => 0 };
}
/**
 * While there is enough: short, so that little is held back from others, and the first ask of each bucket, which all nodes make at
 * once, is no peak (R26). What a fleet holds for so many asks is least when the interval goes by the root of the rate.
 */
function calmIntervalMs(quota, ratePerMs) {
    const bucketMs = spanMs(quota) / quota.subBuckets;
    const middleMs = Math.max(SHORT_BUCKET_MS, bucketMs / CALM_PARTS);
    const byRateMs = middleMs * Math.sqrt((CALM_RATE_SHARE * quota.limit) / quota.windowMs / ratePerMs);
    return within(byRateMs, bucketMs, Math.min(CALM_MOST_MS, bucketMs / CALM_LEAST_PARTS));
}
function pressedIntervalMs(quota, ratePerMs) {
    const windowMs = spanMs(quota);
    const bucketMs = windowMs / quota.subBuckets;
    const permits = (quota.limit * windowMs) / quota.windowMs;
    const byRateMs = Math.max(REQUESTS_PER_TRIP / ratePerMs, PRESSED_ROOT_SHARE * Math.sqrt((windowMs * permits) / ratePerMs));
    return within(byRateMs, bucketMs, Math.min(PRESSED_MOST_MS, Math.max(SHORT_BUCKET_MS, Math.min(windowMs / PRESSED_LEAST_PARTS, bucketMs / 2))));
}
/** What intervals are parts of: the window, or less where a burst below the limit drains in less. (Window algorithms have no burst of their own.) */
function spanMs({ windowMs, limit, burst }) {
    return windowMs * Math.min(1, (DRAIN_SPANS * burst) / limit);
}
/** An interval between the least, a hundredth of a bucket, and the most; where they cross, as in a window of a day, the most wins. */
function within(intervalMs, bucketMs, mostMs) {
    return Math.min(Math.max(LEAST_MS, mostMs), Math.max(LEAST_MS, bucketMs / LEAST_SHARE, intervalMs));
}
//# sourceMappingURL=lease-sizing.js.map