export { createDecision } from './create-decision.js';
export type { DecisionParts, RunningDecision } from './create-decision.js';
export { DECISION_CONFIG } from './config/decision-config.js';
export type { DecisionConfig } from './config/decision-config.js';
export type { BatchAnswer, CheckAnswer, PolicyAnswer } from './check/check-answer.js';
export type { SettlementAnswer } from './settle/settle-routes.js';
