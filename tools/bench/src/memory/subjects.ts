import type { Quota } from '@sluice/algorithms';
import { compileSnapshot, type Rule } from '@sluice/rules';

/** Counters of one kind, as a rule has them. */
export interface Subject {
  readonly name: string;
  readonly quota: Quota;
  readonly identity: string;
}

/** Long enough for millions of keys to be written within a part of it, by the clock of the store. */
export const WINDOW_MS = 3_600_000;

const KINDS: readonly (readonly [name: string, rule: Partial<Rule>])[] = [
  ['sliding_counter (default)', {}],
  ['sliding_counter, k = 6', { sub_buckets: 6 }],
  ['fixed_window', { algorithm: 'fixed_window' }],
  ['token_bucket', { algorithm: 'token_bucket' }],
  ['leaky_bucket', { algorithm: 'leaky_bucket' }],
  ['gcra', { algorithm: 'gcra' }],
  ['sliding_log, one entry', { algorithm: 'sliding_log' }],
];

/** The default algorithm first. */
export function subjects(): readonly [Subject, ...Subject[]] {
  const [first, ...others] = KINDS.map(([name, own]) => {
    const rule: Rule = { rule_id: 'r', version: 1, limit: 100, window_seconds: WINDOW_MS / 1_000, ...own };
    const [applied] = compileSnapshot({ version: 1, plans: [], rules: [rule], overrides: [] }).match({ key_id: 'k' }, 0);
    if (applied === undefined) throw new Error(`no rule for ${name}`);
    return { name, quota: applied.quota, identity: applied.rule.identity };
  });
  if (first === undefined) throw new Error('no subjects');
  return [first, ...others];
}
