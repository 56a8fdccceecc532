import { StoreFault } from '../store/store-fault.js';
/** Gives back what requests were charged: what the store has not heard of is no longer owed, the rest is the store's to give. */
export class Refunds {
    constructor(store, credits) {
        this.store = store;
        this.credits = credits;
    }
    /** Resolves to the permits given back for each entry; a fault only where nothing was. */
    async giveBack(entries) {
        const here = entries.map(({ key, amount, bucket }) => this.credits.takeBack(key, amount, bucket));
        const rest = entries
            .map(({ key, quota, amount, bucket }, at) => ({ key, quota, bucket, amount: amount - (here[at] ?? 0), at }))
            .filter(({ amount }) => amount > 0);
        const answers = rest.length === 0 ? [] : await this.store.giveBack(rest);
        const given = [...here];
        rest.forEach(({ at }, asked) => {
            const before = here[at] ?? 0;
            const answer = answers[asked] ?? 0;
            given[at] = answer instanceof StoreFault && before > 0 ? before : answer instanceof StoreFault ? answer : before + answer;
        });
        return given;
    }
}
//# sourceMappingURL=refunds.js.map