import { attributeText } from '@sluice/events';
import type { TimeRange } from '../../input/time-range.js';
import type { DecisionFilter } from '../../store/decision-filter.js';
import type { SumsQuery } from './sums-query.dto.js';

/** The decisions that a question for sums is about. */
export function sumsFilter({ key_id, tenant_id, rule_id: ruleId, region }: SumsQuery, range: TimeRange): DecisionFilter {
  return {
    ...range,
    ...(ruleId === undefined ? {} : { ruleId }),
    ...(region === undefined ? {} : { region }),
    attributes: { ...(key_id === undefined ? {} : { key_id: attributeText(key_id) }), ...(tenant_id === undefined ? {} : { tenant_id: attributeText(tenant_id) }) },
  };
}
