import type { Check } from './checks.js';
import { compact } from './compact.js';
import { ID, KEY_ID, OVERRIDE_TARGET } from './names.js';
import { ObjectReader } from './object-reader.js';
import { PERMITS } from './read-quota.js';
import type { Override } from './rule.js';
import { timestamp } from './timestamp.js';

const FIELDS = ['override_id', 'rule_id', 'key_id', 'limit', 'burst', 'expires_at'];

/** One override, without its relation to its rule. An expiry in the past is no fault: time alone ends an override. */
export const readOverride: Check<Override> = (value, pointer, faults) => {
  const reader = ObjectReader.open(value, pointer, faults, FIELDS);
  const override_id = reader?.required('override_id', ID);
  const rule_id = reader?.required('rule_id', OVERRIDE_TARGET);
  const key_id = reader?.required('key_id', KEY_ID);
  const limit = reader?.required('limit', PERMITS);
  const burst = reader?.optional('burst', PERMITS);
  const expires_at = reader?.required('expires_at', timestamp);
  if (override_id === undefined || rule_id === undefined || key_id === undefined) return undefined;
  if (limit === undefined || expires_at === undefined) return undefined;
  return compact({ override_id, rule_id, key_id, limit, burst, expires_at });
};
