export { runScenario } from './run-scenario.js';
export type { Report, RunOptions } from './run-scenario.js';
export { SCENARIOS } from './scenarios/scenarios.js';
export type { Scenario } from './scenarios/scenario.js';
