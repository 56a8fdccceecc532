export { ALGORITHMS, CALENDAR_UNITS, capacityOf } from './quota.js';
export type { AlgorithmName, Calendar, CalendarUnit, Quota } from './quota.js';
export { NEVER } from './outcome.js';
export type { Outcome } from './outcome.js';
export type { Algorithm, Refunded, Taken } from './algorithm.js';
