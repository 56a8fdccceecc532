const SLOT_MS = 25;
const SLOTS = 64;
/** When each credit is looked at next, by slots of some ms: no timer a key. At most {@link SLOTS} slots ahead. */
export class ReportSchedule {
    constructor(nowMs) {
        this.slots = Array.from({ length: SLOTS }, () => []);
        this.tick = Math.floor(nowMs / SLOT_MS);
    }
    add(credit, dueMs) {
        const tick = Math.min(Math.max(Math.ceil(dueMs / SLOT_MS), this.tick + 1), this.tick + SLOTS - 1);
        this.slots[tick % SLOTS]?.push(credit);
    }
    /** Those due by now, each once, slot by slot until there are `most`; the others come next time. */
    take(nowMs, most) {
        const until = Math.floor(nowMs / SLOT_MS);
        if (until - this.tick > SLOTS)
            this.tick = until - SLOTS;
        const due = [];
        while (this.tick < until && due.length < most) {
            this.tick += 1;
            for (const credit of this.slots[this.tick % SLOTS] ?? [])
                due.push(credit);
            this.slots[this.tick % SLOTS] = [];
        }
        return due;
    }
}
//# sourceMappingURL=report-schedule.js.map