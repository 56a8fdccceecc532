import type { FieldFault } from '@sluice/platform';
import { invalid } from '../input/invalid.js';
import { MAX_RULES } from './apply-rules.dto.js';

/** What a body asks for; the rules in it are not looked at yet. */
export interface ApplyRequest {
  readonly baseVersion: number;
  readonly rules: readonly object[];
  readonly isDryRun: boolean;
}

const FIELDS = ['base_version', 'rules', 'dry_run'];

/**
 * Reads the body of `ApplyRulesBody` by hand: class-transformer copies every rule in it, field by field, and holds all other requests up for a good part of a
 * second.
 *
 * @throws ProblemException 400
 */
export function applyRequest(body: Readonly<Record<string, unknown>>): ApplyRequest {
  const { base_version: baseVersion, rules, dry_run: isDryRun = false } = body;
  const faults: FieldFault[] = Object.keys(body)
    .filter((name) => !FIELDS.includes(name))
    .map((name) => ({ pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, detail: `property ${name} should not exist` }));
  if (!isVersion(baseVersion)) faults.push({ pointer: '/base_version', detail: 'must be a version: a whole number from 0' });
  if (typeof isDryRun !== 'boolean') faults.push({ pointer: '/dry_run', detail: 'must be a boolean value' });
  if (!isList(rules)) faults.push({ pointer: '/rules', detail: `must be a list of at most ${MAX_RULES} objects` });
  if (!isVersion(baseVersion) || typeof isDryRun !== 'boolean' || !isList(rules) || faults.length > 0) throw invalid(faults);
  return { baseVersion, rules, isDryRun };
}

function isVersion(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isList(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.length <= MAX_RULES && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
}
