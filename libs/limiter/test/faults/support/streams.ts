import type { RequestAttributes } from '@sluice/rules';
import type { RuleInput } from '../../support/fixture.js';

/** One kind of traffic of a node: the rules that it meets, and how often. */
export interface Stream {
  readonly name: 'leased' | 'exact' | 'login' | 'pair' | 'tight';
  readonly perSecond: number;
  /** Whether what is charged can be told from what remains: one window for the whole test. */
  readonly accounted: boolean;
}

export const STREAMS: readonly Stream[] = [
  { name: 'leased', perSecond: 100, accounted: true },
  { name: 'exact', perSecond: 40, accounted: true },
  { name: 'login', perSecond: 20, accounted: true },
  { name: 'pair', perSecond: 20, accounted: true },
  { name: 'tight', perSecond: 80, accounted: false },
];

/** Most permits of a lease, and so the most that one fault may lose or double for a counter on a node. */
export const MAX_LEASE = 50;

/** The tight limit, a second, over all nodes: less than the nodes ask for together. */
export const TIGHT_LIMIT = 60;

const YEAR_S = 31_622_400;
const wide = { algorithm: 'fixed_window', limit: 1_000_000, window_seconds: YEAR_S } as const;

/** Rules of every stream; but for the tight one their limits are never met, so that each refusal is one for want of the store. */
export const FAULT_RULES: readonly RuleInput[] = [
  { rule_id: 'leased', policy: 'leased', endpoint: 'GET /leased', ...wide, max_lease: MAX_LEASE },
  { rule_id: 'exact', policy: 'exact', endpoint: 'GET /exact', ...wide, consistency: 'exact' },
  { rule_id: 'login', policy: 'login', endpoint: 'GET /login', ...wide, consistency: 'exact', on_store_failure: 'deny' },
  { rule_id: 'pair-a', policy: 'pair-a', endpoint: 'GET /pair', ...wide, consistency: 'exact' },
  { rule_id: 'pair-b', policy: 'pair-b', endpoint: 'GET /pair', ...wide, consistency: 'exact' },
  { rule_id: 'tight', policy: 'tight', endpoint: 'GET /tight', algorithm: 'sliding_counter', sub_buckets: 5, limit: TIGHT_LIMIT, window_seconds: 1 },
];

export function attributesOf(stream: Stream, key: string): RequestAttributes {
  return { endpoint: `GET /${stream.name}`, key_id: key };
}
