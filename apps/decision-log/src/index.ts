export { DECISION_LOG_CONFIG, DECISION_LOG_PROCESS_CONFIG } from './config/decision-log-config.js';
export type { DecisionLogConfig, DecisionLogProcessConfig } from './config/decision-log-config.js';
export { createDecisionLog } from './create-decision-log.js';
export type { DecisionLogParts, RunningDecisionLog } from './create-decision-log.js';
export type { Aggregate, AggregateOrder, AggregateRow, Dimension } from './store/aggregate.js';
export type { DecisionFilter } from './store/decision-filter.js';
export type { DecisionPlace, DecisionStore, ReceivedEvent, StoreStatus, Written } from './store/decision-store.js';
export { QueryTooLarge, StoreUnavailable } from './store/store-faults.js';
