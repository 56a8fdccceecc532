import { RULE_DEFAULTS, type Snapshot } from '@sluice/rules';

/** What a set of rules looks at. */
export interface NamedAttributes {
  /** By value, to match. */
  readonly matched: ReadonlySet<string>;
  /** To count by; for a match it matters whether a request has them. */
  readonly counted: ReadonlySet<string>;
}

/** Attributes that the rules of a snapshot match or count by: no verdict depends on any other. Plans' default limits count by key. */
export function attributesNamedBy({ rules }: Pick<Snapshot, 'rules'>): NamedAttributes {
  const matched = rules.flatMap(({ domain, descriptors }) => [...(domain === undefined ? [] : ['domain']), ...(descriptors === undefined ? [] : Object.keys(descriptors))]);
  return { matched: new Set(['plan', 'endpoint', ...matched]), counted: new Set(['key_id', ...rules.flatMap(({ count_by }) => count_by ?? RULE_DEFAULTS.count_by)]) };
}
