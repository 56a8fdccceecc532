/** What of a rule concerns those whom it limits; not whom else it matches, and how nodes carry it out. */
const FIELDS = ['rule_id', 'plan_id', 'version', 'endpoint', 'algorithm', 'limit', 'window_seconds', 'calendar', 'burst', 'shape', 'count_by', 'default_limit'] as const;

/** The text of a rule or a plan for a tenant. */
export function callersText(json: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(FIELDS.flatMap((name) => (json[name] === undefined ? [] : [[name, json[name]]])));
}
