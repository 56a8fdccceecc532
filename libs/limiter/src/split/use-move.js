import { StoreFault } from '../store/store-fault.js';
import { partOf } from './split.js';
/**
 * Moves what is in use from counters that are about to be left to those that take over. The first step comes before that, so that nobody finds those
 * empty; the second one after it moves what has come on top, and empties the old ones. So what is admitted too much is at most what was
 * admitted between the first step and the change.
 */
export class UseMove {
    constructor(store, sources, targets, 
    /** That of the counter as a whole. */
    quota) {
        this.store = store;
        this.sources = sources;
        this.targets = targets;
        this.quota = quota;
        this.before = new Map();
        this.readAtMs = 0;
    }
    async begin() {
        this.before = await this.read();
        await this.add(this.before);
    }
    async finish() {
        const sinceMs = this.readAtMs;
        const after = await this.read();
        const known = this.decayed(this.before, this.readAtMs - sinceMs);
        const grown = new Map([...after].map(([bucket, amount]) => [bucket, amount - (known.get(bucket) ?? 0)]));
        for (const [bucket, amount] of known)
            if (!after.has(bucket))
                grown.set(bucket, -amount);
        await this.add(grown);
        try {
            await this.store.reset(this.sources.map(({ key }) => key));
        }
        catch (fault) {
            // They run out by themselves; nobody asks them meanwhile.
            if (!(fault instanceof StoreFault))
                throw fault;
        }
    }
    async read() {
        const answers = (await this.store.usage?.(this.sources)) ?? [];
        const uses = new Map();
        for (const usage of answers.filter((answer) => !(answer instanceof StoreFault))) {
            this.readAtMs = usage.nowMs;
            for (const { bucket, amount } of usage.parts) {
                const at = this.drains ? 0 : bucket;
                uses.set(at, Math.min(Number.MAX_SAFE_INTEGER, (uses.get(at) ?? 0) + amount));
            }
        }
        return uses;
    }
    /** A level drains meanwhile, where it came from and where it went. */
    decayed(uses, elapsedMs) {
        if (!this.drains)
            return uses;
        const { limit, windowMs } = this.quota;
        return new Map([...uses].map(([bucket, amount]) => [bucket, Math.max(0, amount - Math.floor((limit / windowMs) * Math.max(0, elapsedMs)))]));
    }
    get drains() {
        return this.quota.algorithm !== 'fixed_window' && this.quota.algorithm !== 'sliding_counter';
    }
    async add(uses) {
        const debits = [];
        const returns = [];
        for (const [bucket, amount] of uses) {
            this.targets.forEach(({ key, quota }, at) => {
                const part = partOf(Math.abs(amount), at, this.targets.length);
                if (part > 0 && amount > 0)
                    debits.push({ key, quota, amount: part, bucket });
                else if (part > 0 && !this.drains)
                    returns.push({ key, quota, amount: part, bucket });
            });
        }
        if (debits.length > 0) {
            const answers = await this.store.charge(debits);
            // A window that ended on the way has nothing to take over.
            if (this.quota.algorithm === 'fixed_window') {
                answers.forEach((answer, at) => {
                    const debit = debits[at];
                    if (debit === undefined || answer instanceof StoreFault || answer.bucket === debit.bucket)
                        return;
                    returns.push({ ...debit, amount: answer.granted, bucket: answer.bucket });
                });
            }
        }
        if (returns.length > 0)
            await this.store.giveBack(returns);
    }
}
//# sourceMappingURL=use-move.js.map