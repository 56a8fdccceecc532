import type { QuotaJson } from '@sluice/rules';
import type { Goals, Scenario } from './scenario.js';

/** Virtual days cost real seconds, so it is one node there. */
const DAY = { limit: 43_200, window_seconds: 86_400 } as const;
const HOUR = { limit: 36_000, window_seconds: 3600 } as const;
const OVER: Goals = { ofExact: 0.995, ofDemand: 0.97 };

/** Windows so long that no interval may be a part of them. */
export const LONG_WINDOW_SCENARIOS: readonly Scenario[] = (['fixed_window', 'sliding_counter'] satisfies QuotaJson['algorithm'][]).flatMap((algorithm): readonly Scenario[] => [
  { name: `${algorithm} 43200/day 1 node 150 %`, quota: { ...DAY, algorithm }, nodes: 1, load: 1.5, windows: 3, goals: OVER },
  { name: `${algorithm} 36000/h 3 nodes 150 %`, quota: { ...HOUR, algorithm }, nodes: 3, load: 1.5, windows: 3, shortWindows: 3, goals: OVER },
]);
