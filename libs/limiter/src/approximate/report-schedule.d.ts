import type { Credit } from './credit.js';
/** When each credit is looked at next, by slots of some ms: no timer a key. At most {@link SLOTS} slots ahead. */
export declare class ReportSchedule {
    private readonly slots;
    private tick;
    constructor(nowMs: number);
    add(credit: Credit, dueMs: number): void;
    /** Those due by now, each once, slot by slot until there are `most`; the others come next time. */
    take(nowMs: number, most: number): readonly Credit[];
}
