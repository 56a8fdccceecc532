import type { AppliedRule, RequestAttributes } from '@sluice/rules';

/** What a rule in shadow would have said; `unknown` where the store did not answer for its counter, which is no outcome (R58). */
export type ShadowVerdict = 'allowed' | 'denied' | 'unknown';

/**
 * Hears once of each rule in shadow that a request was evaluated by, which may be after the request was answered. Must not throw.
 * @param nowMs when the request was decided, by the store's clock as far as the node knows it
 */
export type ObserveShadow = (applied: AppliedRule, verdict: ShadowVerdict, attributes: RequestAttributes, nowMs: number) => void;
