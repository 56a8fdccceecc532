import { integerBetween, type Check } from './checks.js';
import { compact } from './compact.js';
import { DISPLAY_NAME, ID } from './names.js';
import { ObjectReader } from './object-reader.js';
import { quotaJson } from './read-quota.js';
import type { Plan } from './rule.js';

const FIELDS = ['plan_id', 'name', 'version', 'default_limit'];
const VERSION = integerBetween(1, Number.MAX_SAFE_INTEGER);

export const readPlan: Check<Plan> = (value, pointer, faults) => {
  const reader = ObjectReader.open(value, pointer, faults, FIELDS);
  if (reader === undefined) return undefined;
  const plan_id = reader.required('plan_id', ID);
  const rest = {
    name: reader.optional('name', DISPLAY_NAME),
    version: reader.optional('version', VERSION),
    default_limit: reader.optional('default_limit', quotaJson),
  };
  return plan_id === undefined ? undefined : compact({ plan_id, ...rest });
};
