import { ConfigError } from '@sluice/platform';
import { parse } from 'yaml';
import { ConfigFields } from './config-fields.js';
import { type AbusePattern, type AbuseRules, type OverrideTerms, PATTERN_KINDS } from './pattern.js';

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const RULE_ID = /^(plan:)?[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/;
const DAY_SECONDS = 86_400;
const MOST_PATTERNS = 100;

/**
 * Reads what is looked for, as YAML or JSON.
 *
 * @throws ConfigError with all faults, each with the path of its field
 */
export function readAbuseRules(text: string): AbuseRules {
  const faults: string[] = [];
  const rules = rulesOf(parsed(text, faults), faults);
  if (faults.length > 0 || rules === undefined) throw new ConfigError(faults.map((fault) => `abuse rules: ${fault}`));
  return rules;
}

function parsed(text: string, faults: string[]): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    faults.push(`are neither YAML nor JSON: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    return undefined;
  }
}

function rulesOf(value: unknown, faults: string[]): AbuseRules | undefined {
  if (faults.length > 0) return undefined;
  const fields = ConfigFields.of(value, '', faults);
  if (fields === undefined) return undefined;
  const dryRun = fields.flag('dry_run', true);
  const everyMs = fields.number('every_seconds', { min: 1, max: 3_600, fallback: 10 }) * 1000;
  const latenessMs = fields.number('lateness_seconds', { min: 0, max: 3_600, fallback: 30 }) * 1000;
  const listed = fields.raw('patterns');
  fields.refuseUnknown();
  if (!Array.isArray(listed) || listed.length > MOST_PATTERNS) {
    fields.fault('patterns', `must be a list of at most ${MOST_PATTERNS} patterns`);
    return undefined;
  }
  const patterns = listed.flatMap((one, at) => patternOf(one, `patterns[${at}]`, faults) ?? []);
  const ids = patterns.map(({ id }) => id);
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at))) faults.push(`patterns: ${id} is there more than once`);
  return { dryRun, everyMs, latenessMs, patterns };
}

function patternOf(value: unknown, at: string, faults: string[]): AbusePattern | undefined {
  const fields = ConfigFields.of(value, at, faults);
  if (fields === undefined) return undefined;
  const id = fields.text('id', ID, 'an id of 1 to 64 letters, digits, _ . or -') ?? '';
  const kind = fields.oneOf('kind', PATTERN_KINDS);
  const windowSeconds = fields.number('window_seconds', { min: 10, max: DAY_SECONDS });
  if (windowSeconds % 10 !== 0) fields.fault('window_seconds', 'must be a multiple of 10');
  const action = fields.oneOf('action', ['propose', 'apply'] as const, 'propose') ?? 'propose';
  const override = fields.raw('override') === undefined ? undefined : overrideOf(fields.raw('override'), windowSeconds, `${at}.override`, faults);
  if (kind === 'unauthenticated' && override !== undefined) fields.fault('override', 'has no key to apply to: requests without credentials have none');
  if (action === 'apply' && override === undefined && kind !== undefined) fields.fault('override', kind === 'unauthenticated' ? 'is not possible here, so that action must be propose' : 'must say what to apply');
  const common = { id, windowMs: windowSeconds * 1000, action, override };
  const pattern = kind === undefined ? undefined : ofKind(kind, common, fields);
  if (kind !== undefined) fields.refuseUnknown();
  return pattern;
}

function ofKind(kind: AbusePattern['kind'], common: Pick<AbusePattern, 'id' | 'windowMs' | 'action' | 'override'>, fields: ConfigFields): AbusePattern {
  if (kind === 'jump') {
    const factor = fields.number('factor', { min: 1.1, max: 1e6, integer: false });
    const least = fields.number('least', { min: 1, max: 1e12 });
    const normMs = fields.number('norm_days', { min: 1, max: 30, fallback: 7 }) * DAY_SECONDS * 1000;
    return { ...common, kind, factor, least, normMs };
  }
  return { ...common, kind, threshold: fields.number('threshold', { min: 1, max: 1e12 }) };
}

function overrideOf(value: unknown, windowSeconds: number, at: string, faults: string[]): OverrideTerms | undefined {
  const fields = ConfigFields.of(value, at, faults);
  if (fields === undefined) return undefined;
  const ruleId = fields.raw('rule_id') === undefined ? undefined : fields.text('rule_id', RULE_ID, "a rule's id, or plan: and a plan's id");
  const floor = fields.number('floor', { min: 1, max: 1e12 });
  const ttlMs = fields.number('ttl_seconds', { min: windowSeconds, max: 7 * DAY_SECONDS }) * 1000;
  if (fields.has('limit') === fields.has('factor')) fields.fault('limit', 'or factor must be there, and not both');
  const limit = fields.has('limit') ? fields.number('limit', { min: 1, max: 1e12 }) : undefined;
  const factor = fields.has('factor') ? fields.number('factor', { min: 0.001, max: 0.999, integer: false }) : undefined;
  if (limit !== undefined && limit < floor) fields.fault('limit', 'is below the floor');
  fields.refuseUnknown();
  return { ruleId, limit, factor, floor, ttlMs };
}
