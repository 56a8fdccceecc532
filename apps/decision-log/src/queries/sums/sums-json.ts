import type { AggregateRow } from '../../store/aggregate.js';
import { type Sampled, standardError } from './sampling.js';
import type { Sums } from './sums.dto.js';

/**
 * Sums as the API has them: whole numbers, which add up, and the error that sampling leaves in them. Refusals are never sampled, so that the error of the
 * requests is that of those that passed.
 *
 * @param sampled what is known of the sampling where the row itself does not say it
 */
export function sumsJson({ allowed, refused, allowedCost, cost, variance }: AggregateRow, sampled: Sampled): Sums {
  const error = standardError(variance, sampled);
  const whole = { allowed: Math.round(allowed), refused: Math.round(refused), allowed_cost: Math.round(allowedCost), refused_cost: Math.round(cost - allowedCost) };
  return {
    requests: whole.allowed + whole.refused,
    allowed: whole.allowed,
    refused: whole.refused,
    cost: whole.allowed_cost + whole.refused_cost,
    allowed_cost: whole.allowed_cost,
    sampled: variance > 0 || sampled,
    standard_error: error === null ? null : Math.round(error * 100) / 100,
  };
}
