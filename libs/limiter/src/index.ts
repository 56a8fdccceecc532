export type { Charge, Decision, DecisionReason, DecisionSource, PolicyOutcome } from './decision.js';
export type { Limiter } from './limiter.js';
