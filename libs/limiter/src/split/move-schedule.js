import { shardKey } from '@sluice/lua-scripts';
import { ExpiringMap } from '../store/expiring-map.js';
import { shardQuota, shardsInUse, shardsOf } from './split.js';
import { UseMove } from './use-move.js';
/** A move begins so long before the change and ends so long after it, ms: some looks of a timer that comes each 50 ms. */
const BEFORE_MS = 150;
const AFTER_MS = 200;
const KNOWN_MS = 60_000;
const MOST_KNOWN = 1_000;
/**
 * Moves what is in use when a counter is split, and back when it is whole again. Every node that knows its limit would do it; the store gives each
 * step to the first that comes, so that it is done once.
 */
export class MoveSchedule {
    constructor(parts) {
        this.parts = parts;
        this.terms = new ExpiringMap(MOST_KNOWN);
        this.steps = new Map();
    }
    /** This node knows under which limit a counter is counted. */
    know(counter, terms, nowMs) {
        this.terms.put(counter, terms, nowMs + KNOWN_MS, nowMs);
    }
    tick(periods, storeMs) {
        for (const period of periods) {
            this.look(period, 'split', period.fromMs, storeMs);
            if (period.knowsEnd)
                this.look(period, 'merge', period.untilMs, storeMs);
        }
        for (const [name, { begun, finishAtMs }] of this.steps) {
            if (storeMs < finishAtMs)
                continue;
            this.steps.delete(name);
            void begun?.finish();
        }
    }
    look(period, what, atMs, storeMs) {
        if (storeMs < atMs - BEFORE_MS || storeMs >= atMs)
            return;
        const name = `${atMs}:${what}`;
        const known = `${name}:${period.counter}`;
        const terms = this.terms.get(period.counter, this.parts.clock.nowMs());
        if (terms === undefined || this.steps.has(known))
            return;
        const step = { finishAtMs: atMs + AFTER_MS, begun: undefined };
        this.steps.set(known, step);
        void this.begin(period, what, name, terms, step);
    }
    async begin({ counter, shards }, what, name, { rule, quota }, step) {
        const { store, key, nodeId } = this.parts;
        const of = shardsOf(rule, quota, shards);
        if (of < 2 || (await store.claimMove?.(key, counter, name, nodeId)) !== true)
            return;
        const whole = { key: counter, quota };
        const parts = Array.from({ length: shardsInUse(quota, of) }, (_, at) => ({ key: shardKey(counter, at, of), quota: shardQuota(quota, { at, of }) }));
        const move = what === 'split' ? new UseMove(store, [whole], parts, quota) : new UseMove(store, parts, [whole], quota);
        step.begun = move;
        await move.begin();
    }
}
//# sourceMappingURL=move-schedule.js.map