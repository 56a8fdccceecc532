import { COST_SCENARIOS } from './cost-scenarios.js';
import { DEBT_SCENARIOS } from './debt-scenarios.js';
import { NUMBER_SCENARIOS } from './number-scenarios.js';
import { REFUND_SCENARIOS } from './refund-scenarios.js';
import { RULE_CHANGE_SCENARIOS } from './rule-change-scenarios.js';
import type { Scenario } from './scenario.js';
import { WINDOW_SCENARIOS } from './window-scenarios.js';

export type { CounterPort } from './counter-port.js';
export { playScenario } from './play-scenario.js';
export type { ChargeStep, Expected, PeekStep, PollStep, RefundStep, ResetStep, Scenario, Step, TakeStep } from './scenario.js';

/** What every counter store must answer, whatever it keeps its counters in. */
export const STORE_SCENARIOS: readonly Scenario[] = [
  ...COST_SCENARIOS,
  ...REFUND_SCENARIOS,
  ...DEBT_SCENARIOS,
  ...NUMBER_SCENARIOS,
  ...WINDOW_SCENARIOS,
  ...RULE_CHANGE_SCENARIOS,
];
