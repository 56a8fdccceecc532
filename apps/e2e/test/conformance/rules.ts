import type { Rule, Snapshot } from '@sluice/rules';

const HOUR = { version: 1, window_seconds: 3_600, algorithm: 'fixed_window', consistency: 'exact' } as const;

/** The rules of the suite. All match by endpoint and most count by key, which every surface knows. */
export const RULES: readonly Rule[] = [
  { ...HOUR, rule_id: 'hour', endpoint: 'GET /hour', policy: 'hour', limit: 3, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'second', endpoint: 'GET /second', policy: 'second', limit: 2, window_seconds: 1.5, algorithm: 'gcra', burst: 2 },
  { ...HOUR, rule_id: 'cost', endpoint: 'GET /cost', policy: 'cost', limit: 10, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'fails', endpoint: 'GET /fails', policy: 'fails', limit: 3, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'many-second', endpoint: 'GET /both', policy: 'second', limit: 10, window_seconds: 1, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'many-day', endpoint: 'GET /both', policy: 'day', limit: 1_000, window_seconds: 86_400, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'few-hour', endpoint: 'GET /few', policy: 'hour', limit: 10, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'few-day', endpoint: 'GET /few', policy: 'day', limit: 4, window_seconds: 86_400, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'seen', endpoint: 'GET /shadow', policy: 'shadow', limit: 2, algorithm: 'sliding_log', mode: 'shadow' },
  { ...HOUR, rule_id: 'wide', endpoint: 'GET /shadow', policy: 'wide', limit: 100, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'leased', endpoint: 'GET /leased', policy: 'leased', limit: 6, algorithm: 'sliding_counter', consistency: 'leased' },
  { ...HOUR, rule_id: 'shared', endpoint: 'GET /shared', policy: 'shared', limit: 24, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'lent', endpoint: 'GET /lent', policy: 'lent', limit: 60, algorithm: 'sliding_counter', consistency: 'leased' },
  { ...HOUR, rule_id: 'changed', endpoint: 'GET /changed', policy: 'changed', limit: 3, algorithm: 'sliding_log' },
  { ...HOUR, rule_id: 'address', endpoint: 'GET /address', policy: 'address', limit: 1_000_000, algorithm: 'sliding_log', count_by: ['ip'] },
  { ...HOUR, rule_id: 'gold', endpoint: 'GET /hour', plan: 'gold', policy: 'gold', limit: 1_000, algorithm: 'sliding_log', count_by: ['plan'] },
];

/** The same, with the store's absence decided by each rule; windows by the minute. */
export const AWAY_RULES: readonly Rule[] = [
  { ...HOUR, rule_id: 'open', endpoint: 'GET /open', policy: 'open', limit: 1_000 },
  { ...HOUR, rule_id: 'closed', endpoint: 'GET /closed', policy: 'closed', limit: 1_000, on_store_failure: 'deny' },
];

export function snapshotOf(version: number, rules: readonly Rule[]): Snapshot {
  return { version, plans: [{ plan_id: 'free' }, { plan_id: 'gold' }], rules, overrides: [] };
}

/** The paths that rules name. */
export function pathsOf(rules: readonly Rule[]): readonly string[] {
  return [...new Set(rules.flatMap(({ endpoint }) => (endpoint === undefined ? [] : [endpoint.replace(/^GET /, '')])))];
}
