import { CONSISTENCIES, type Fault, REGION_MODES, type Rule, unavailableChoices, type Validated, validateRule } from '@sluice/rules';

/** Said elsewhere in the request. */
const FIELDS_ELSEWHERE = { rule_id: 'must be absent: the path says it', version: 'must be absent: If-Match says which version is replaced' } as const;

/**
 * The rule in the body of a PUT as far as it alone can tell (R57), or all that is wrong with it at once. The body is as it was parsed: to check types first
 * would hide what else is wrong.
 */
export function ruleOfBody(ruleId: string, body: Readonly<Record<string, unknown>>): Validated<Rule> {
  const elsewhere = Object.entries(FIELDS_ELSEWHERE).flatMap(([name, detail]): Fault[] => (Object.hasOwn(body, name) ? [{ pointer: `/${name}`, detail }] : []));
  // The version is the table's to give; any will do for the check.
  const checked = validateRule({ ...body, rule_id: ruleId, version: 1 });
  const faults = [...elsewhere, ...(checked.ok ? [] : checked.faults), ...unavailableChoices(checked.ok ? checked.value : choicesIn(body))];
  return checked.ok && faults.length === 0 ? checked : { ok: false, faults };
}

/** The choices of a body that is no rule, as those of one that has nothing else. */
function choicesIn({ consistency, region_mode }: Readonly<Record<string, unknown>>): Rule {
  const chosen = CONSISTENCIES.find((choice) => choice === consistency);
  const region = REGION_MODES.find((choice) => choice === region_mode);
  return { rule_id: 'r', version: 1, limit: 1, window_seconds: 1, ...(chosen === undefined ? {} : { consistency: chosen }), ...(region === undefined ? {} : { region_mode: region }) };
}
