import type { AggregateRow } from '../../store/aggregate.js';
import type { Sums } from './sums.dto.js';

/**
 * Sums as the API has them: whole numbers, which add up, and the error that sampling leaves in them. Refusals are never sampled, so that the error of the
 * requests is that of those that passed.
 */
export function sumsJson({ allowed, refused, allowedCost, cost, variance }: AggregateRow): Sums {
  const whole = { allowed: Math.round(allowed), refused: Math.round(refused), allowed_cost: Math.round(allowedCost), refused_cost: Math.round(cost - allowedCost) };
  return {
    requests: whole.allowed + whole.refused,
    allowed: whole.allowed,
    refused: whole.refused,
    cost: whole.allowed_cost + whole.refused_cost,
    allowed_cost: whole.allowed_cost,
    sampled: variance > 0,
    standard_error: Math.round(Math.sqrt(variance) * 100) / 100,
  };
}
