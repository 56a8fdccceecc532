import { integerBetween, matching, oneOf, type Check } from './checks.js';
import { compact } from './compact.js';
import { parseEndpoint } from './endpoint-template.js';
import { pointerTo } from './fault.js';
import { ATTRIBUTE_NAME, DESCRIPTOR_VALUE, ID, POLICY, PUBLISHED_RULE_ID, replacedRuleId } from './names.js';
import { isJsonObject, listOf, ObjectReader } from './object-reader.js';
import { PERMITS, QUOTA_FIELDS, readQuota } from './read-quota.js';
import { MAX_COUNT_BY, MAX_DESCRIPTORS, MAX_SHARDS } from './rule-defaults.js';
import { CONSISTENCIES, MODES, REGION_MODES, STORE_FAILURE_CHOICES, type Rule } from './rule.js';

const FIELDS = [
  ...QUOTA_FIELDS,
  ...['rule_id', 'version', 'domain', 'plan', 'endpoint', 'descriptors', 'count_by', 'policy', 'mode'],
  ...['on_store_failure', 'consistency', 'region_mode', 'max_lease', 'shards'],
];

const VERSION = integerBetween(1, Number.MAX_SAFE_INTEGER);
const DOMAIN = matching(/^[a-zA-Z0-9_.:/-]{1,128}$/);
const MODE = oneOf(MODES);
const STORE_FAILURE_CHOICE = oneOf(STORE_FAILURE_CHOICES);
const CONSISTENCY = oneOf(CONSISTENCIES);
const REGION_MODE = oneOf(REGION_MODES);
const SHARDS = integerBetween(1, MAX_SHARDS);

/** One rule as an admin writes it, without its relations to others. */
export const readRule: Check<Rule> = (value, pointer, faults) => readRuleWith(ID, value, pointer, faults);

/** One rule of a snapshot: as an admin wrote it, or a proposed version of one, which must be in shadow (R58). */
export const readPublishedRule: Check<Rule> = (value, pointer, faults) => {
  const rule = readRuleWith(PUBLISHED_RULE_ID, value, pointer, faults);
  if (rule === undefined || rule.mode === 'shadow' || replacedRuleId(rule.rule_id) === undefined) return rule;
  faults.push({ pointer: pointerTo(pointer, 'mode'), detail: 'must be shadow, since this is a proposed version of a rule' });
  return undefined;
};

function readRuleWith(id: Check<string>, ...[value, pointer, faults]: Parameters<Check<Rule>>): Rule | undefined {
  const reader = ObjectReader.open(value, pointer, faults, FIELDS);
  if (reader === undefined) return undefined;
  const rule_id = reader.required('rule_id', id);
  const version = reader.required('version', VERSION);
  const quota = readQuota(reader);
  const rest = {
    domain: reader.optional('domain', DOMAIN),
    plan: reader.optional('plan', ID),
    endpoint: reader.optional('endpoint', endpoint),
    descriptors: reader.optional('descriptors', descriptors),
    count_by: reader.optional('count_by', countBy),
    policy: reader.optional('policy', POLICY),
    mode: reader.optional('mode', MODE),
    on_store_failure: reader.optional('on_store_failure', STORE_FAILURE_CHOICE),
    consistency: reader.optional('consistency', CONSISTENCY),
    region_mode: reader.optional('region_mode', REGION_MODE),
    max_lease: reader.optional('max_lease', PERMITS),
    shards: reader.optional('shards', SHARDS),
  };
  if (rule_id === undefined || version === undefined || quota === undefined) return undefined;
  if (rest.shards !== undefined && rest.shards > quota.limit) reader.fault('shards', 'must be at most the limit, which it is a split of');
  return compact({ rule_id, version, ...quota, ...rest });
}

const endpoint: Check<string> = (value, pointer, faults) => {
  if (typeof value !== 'string') {
    faults.push({ pointer, detail: 'must be a string such as GET /v1/items/{id}' });
    return undefined;
  }
  const parsed = parseEndpoint(value);
  if (parsed.kind !== 'malformed') return value;
  faults.push({ pointer, detail: parsed.detail });
  return undefined;
};

/** These have fields of their own, which specificity depends on. */
const FIELD_ATTRIBUTES = ['domain', 'plan', 'endpoint'];

const descriptors: Check<Readonly<Record<string, string>>> = (value, pointer, faults) => {
  if (!isJsonObject(value)) {
    faults.push({ pointer, detail: 'must be an object of strings' });
    return undefined;
  }
  const names = Object.keys(value);
  if (names.length > MAX_DESCRIPTORS) {
    faults.push({ pointer, detail: `must have at most ${String(MAX_DESCRIPTORS)} entries` });
    return undefined;
  }
  const entries = names.flatMap((name) => {
    const at = pointerTo(pointer, name);
    if (FIELD_ATTRIBUTES.includes(name)) faults.push({ pointer: at, detail: `belongs in the field ${name} of the rule` });
    ATTRIBUTE_NAME(name, at, faults);
    const expected = DESCRIPTOR_VALUE(value[name], at, faults);
    return expected === undefined ? [] : [[name, expected] as const];
  });
  return Object.fromEntries(entries);
};

const countBy: Check<readonly string[]> = (value, pointer, faults) => {
  if (Array.isArray(value) && (value.length < 1 || value.length > MAX_COUNT_BY)) {
    faults.push({ pointer, detail: `must have 1 to ${String(MAX_COUNT_BY)} names` });
    return undefined;
  }
  const names = listOf(ATTRIBUTE_NAME)(value, pointer, faults);
  if (names === undefined) return undefined;
  if (new Set(names).size !== names.length) faults.push({ pointer, detail: 'must not repeat a name' });
  return names;
};
