import { answersOf } from './answers-of.js';
import { StoreFault } from './store-fault.js';
import { toFault } from './to-fault.js';
/**
 * A store for all calls but those that decide: settlements, debts, reports, what goes back, moves of split counters, signs of life. Each of them
 * that was sent and not answered is counted in {@link LimiterStats.sideFaults}, whoever made it, so that nothing is lost in silence.
 */
export class SideCalls {
    constructor(store, stats) {
        this.store = store;
        this.stats = stats;
        this.spreads = store.spreads === true;
        const heartbeat = store.heartbeat?.bind(store);
        if (heartbeat !== undefined)
            this.heartbeat = (beat) => this.watched(() => heartbeat(beat));
        const usage = store.usage?.bind(store);
        if (usage !== undefined)
            this.usage = (counters) => this.all(counters.length, () => usage(counters));
        const claimMove = store.claimMove?.bind(store);
        if (claimMove !== undefined)
            this.claimMove = (...move) => this.watched(() => claimMove(...move));
    }
    stateOf(key) {
        return this.store.stateOf?.(key) ?? 'fine';
    }
    take(asks) {
        return this.all(asks.length, () => this.store.take(asks));
    }
    takeAll(asks) {
        return this.all(asks.length, () => this.store.takeAll(asks));
    }
    giveBack(returns) {
        return this.all(returns.length, () => this.store.giveBack(returns));
    }
    charge(debits, late) {
        return this.all(debits.length, () => this.store.charge(debits, late));
    }
    reserve(key, record, ttlMs) {
        return this.watched(() => this.store.reserve(key, record, ttlMs));
    }
    claim(key, claimant) {
        return this.watched(() => this.store.claim(key, claimant));
    }
    reset(keys) {
        return this.store.reset(keys);
    }
    close() {
        return this.store.close();
    }
    async watched(send) {
        let answer;
        try {
            answer = await send();
        }
        catch (reason) {
            answer = toFault(reason);
        }
        this.count(answer);
        return answer;
    }
    async all(questions, send) {
        const answers = await answersOf(questions, send);
        for (const answer of answers)
            this.count(answer);
        return answers;
    }
    count(answer) {
        if (answer instanceof StoreFault && answer.kind !== 'open')
            this.stats.sideFaults += 1;
    }
}
//# sourceMappingURL=side-calls.js.map