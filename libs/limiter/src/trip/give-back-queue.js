import { StoreFault } from '../store/store-fault.js';
/** Permits on their way back, off the request path: what one tick returns goes out in one trip. */
export class GiveBackQueue {
    constructor(store, stats) {
        this.store = store;
        this.stats = stats;
        this.queue = [];
        this.sending = Promise.resolve();
    }
    push(entry) {
        this.stats.returned += entry.amount;
        if (this.queue.push(entry) > 1)
            return;
        queueMicrotask(() => this.send());
    }
    /** Resolves when everything pushed so far has reached the store, or the store did not take it. */
    async drained() {
        this.send();
        await this.sending;
    }
    send() {
        // They would only pile up before a server that does not listen; in their bucket they run out by themselves.
        const batch = this.queue.filter(({ key, amount }) => {
            const open = this.store.stateOf?.(key) === 'open';
            if (open)
                this.stats.lost += amount;
            return !open;
        });
        this.queue = [];
        if (batch.length === 0)
            return;
        const sent = this.store.giveBack(batch).then((answers) => {
            batch.forEach(({ amount }, at) => {
                if (answers[at] instanceof StoreFault)
                    this.stats.lost += amount;
            });
        });
        this.sending = Promise.all([this.sending, sent]).then(() => undefined);
    }
}
//# sourceMappingURL=give-back-queue.js.map