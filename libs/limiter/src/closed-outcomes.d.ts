import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { PolicyOutcome } from './decision.js';
import type { Fallback } from './fallback.js';
import type { Leases } from './lease/leases.js';
export interface ClosedParts {
    readonly leases: Pick<Leases, 'find'>;
    readonly fallback: Fallback;
}
/**
 * What a limiter answers that is closing or closed: as while the store is away (R41), all limits or none (R8). It holds no lease, makes no trip and
 * remembers no key, so that requests that keep coming do not keep it from ending (R44).
 */
export declare function closedOutcomes({ leases, fallback }: ClosedParts, applied: readonly AppliedRule[], attributes: RequestAttributes, cost: number, nowMs: number): readonly PolicyOutcome[];
