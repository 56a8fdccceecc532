import { type Outcome, type Quota } from '@sluice/algorithms';
/**
 * How long a cost has to wait that was refused in a trip whose least cost was `need`, ms: long enough, never less than the wait of `need`.
 * A bucket drains evenly, so the wait of one cost tells that of another; how a window empties only the store knows, so there it is the
 * time until all of it is free.
 */
export declare function widerWaitMs(cost: number, need: number, quota: Quota, outcome: Outcome): number;
