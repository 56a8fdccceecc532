import type { ResourceChange } from '../change-log/resource-change.js';
import type { RulesApplied } from './apply-rules.dto.js';
import { fieldChanges } from './field-changes.js';

/** What was recorded of rules, as the answer has it. */
export function changesJson(recorded: readonly ResourceChange[]): Pick<RulesApplied, 'created' | 'updated' | 'deleted'> {
  const rules = recorded.filter(({ kind }) => kind === 'rule');
  const of = (action: ResourceChange['action']): readonly ResourceChange[] => rules.filter((change) => change.action === action);
  return {
    created: of('created').map(({ id, toVersion }) => ({ rule_id: id, version: toVersion ?? 1 })),
    updated: of('updated').map(({ id, toVersion, before, after }) => ({ rule_id: id, version: toVersion ?? 1, changes: [...fieldChanges(before ?? {}, after ?? {})] })),
    deleted: of('deleted').map(({ id, fromVersion }) => ({ rule_id: id, version: fromVersion ?? 1 })),
  };
}
