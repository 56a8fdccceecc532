export { AttemptLimit } from './attempt-limit.js';
export type { Attempt, AttemptLimits } from './attempt-limit.js';
