import { ALGORITHM_SCENARIOS } from './algorithms.js';
import { APPROXIMATE_SCENARIOS } from './approximate.js';
import { INCIDENT_SCENARIOS } from './incidents.js';
import { ISSUE_SCENARIOS } from './issue.js';
import { LONG_WINDOW_SCENARIOS } from './long-windows.js';
import { SMALL_BURST_SCENARIOS } from './small-bursts.js';
import { SPLIT_SCENARIOS } from './split.js';
import type { Scenario } from './scenario.js';

export const SCENARIOS: readonly Scenario[] = [...ISSUE_SCENARIOS, ...INCIDENT_SCENARIOS, ...ALGORITHM_SCENARIOS, ...APPROXIMATE_SCENARIOS, ...SMALL_BURST_SCENARIOS, ...LONG_WINDOW_SCENARIOS, ...SPLIT_SCENARIOS];
