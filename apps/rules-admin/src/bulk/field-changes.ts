import { RULE_DEFAULTS } from '@sluice/rules';
import { isDeepStrictEqual } from 'node:util';

/** One field of a rule that changes. Absent: it says nothing, and has no default. */
export interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The fields in which two versions of a rule differ; an absent field is what it means by default. */
export function fieldChanges(before: object, after: object): readonly FieldChange[] {
  const was: Readonly<Record<string, unknown>> = { ...RULE_DEFAULTS, ...before };
  const is: Readonly<Record<string, unknown>> = { ...RULE_DEFAULTS, ...after };
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => field !== 'version' && !isDeepStrictEqual(was[field], is[field]))
    .sort()
    .map((field) => ({ field, ...(field in was ? { before: was[field] } : {}), ...(field in is ? { after: is[field] } : {}) }));
}
