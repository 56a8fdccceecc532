import { StoreFault } from '../store/store-fault.js';
import { noteOffset } from '../trip/store-offset.js';
/** To a server in trouble a report goes this often at most, ms: what it was sent may have run although it did not answer, and then runs twice. */
const RETRY_MS = 1_000;
/** What nodes admitted on credit, on its way to the store, off the request path: what one tick reports goes out together. */
export class Reports {
    constructor(parts) {
        this.parts = parts;
        this.queue = new Set();
        this.inAir = Promise.resolve();
        this.stopped = false;
    }
    /** At the end of this tick, unless one of it is in the air; what its lease spends until then is in it. */
    push(credit) {
        this.queue.add(credit);
        if (this.queue.size === 1)
            queueMicrotask(() => this.flush());
    }
    /** At once, one of it in the air or not. */
    send(credits) {
        const { store, clock } = this.parts;
        const nowMs = clock.nowMs();
        const reports = [];
        for (const credit of credits) {
            if (!this.mayGo(credit, nowMs))
                continue;
            const amount = credit.depart(nowMs);
            if (amount > 0)
                reports.push({ credit, debit: { key: credit.key, quota: credit.quota, amount } });
        }
        if (reports.length === 0)
            return;
        this.parts.stats.reports += reports.length;
        const debits = reports.map(({ debit }) => debit);
        const late = (debit, outcome) => this.tookLate(reports[debits.indexOf(debit)]?.credit, debit, outcome);
        const sent = store.charge(debits, late).then((answers) => {
            reports.forEach(({ credit, debit }, at) => this.land(credit, debit, answers[at], nowMs));
        });
        this.inAir = Promise.all([this.inAir, sent]).then(() => undefined);
    }
    /** Resolves when everything in the air has landed. */
    async drained() {
        this.flush();
        await this.inAir;
    }
    /** What is not reported now is given up, so that a late answer is no news. */
    stop() {
        this.stopped = true;
    }
    /** It ran after all, so it is not owed; what was sent again meanwhile goes back. */
    tookLate(credit, { key, quota, amount }, { bucket }) {
        if (credit === undefined || this.stopped)
            return;
        const twice = amount - credit.takeBack(amount);
        this.parts.stats.reported += amount - twice;
        if (twice > 0)
            void this.parts.store.giveBack([{ key, quota, amount: twice, bucket }]);
    }
    flush() {
        const waiting = [...this.queue].filter(({ reporting }) => !reporting);
        this.queue = new Set();
        this.send(waiting);
    }
    mayGo({ key, sentAtMs }, nowMs) {
        const state = this.parts.store.stateOf?.(key) ?? 'fine';
        return state === 'fine' || (state === 'troubled' && nowMs - sentAtMs >= RETRY_MS);
    }
    land(credit, debit, answer, sentAtMs) {
        const { stats, clock, landed } = this.parts;
        const fault = answer === undefined || answer instanceof StoreFault;
        credit.landed(debit.amount, !fault);
        if (!fault) {
            stats.reported += debit.amount;
            noteOffset(stats, answer.nowMs, sentAtMs, clock.nowMs());
        }
        landed(credit, fault ? undefined : answer, debit, sentAtMs);
    }
}
//# sourceMappingURL=reports.js.map