import type { LogEntry } from '../../control-plane/log-entry.js';
import { readRuleText } from '../../control-plane/rule-text.js';
import type { RuleSince } from './facts.js';

/** Nobody knows what became of it. */
export const UNKNOWN_SINCE: RuleSince = { state: 'unknown', changes: [], now: undefined };

/** What became of a rule after `version` of it. @param changes of the rule, the newest first */
export function ruleSince(ruleId: string, version: number, changes: readonly LogEntry[]): RuleSince {
  const at = changes.findIndex(({ toVersion }) => toVersion === version);
  const [newest] = changes;
  // Of a version that the log does not have, what came after it cannot be told.
  if (at < 0 || newest === undefined) return UNKNOWN_SINCE;
  if (at === 0) return { state: 'unchanged', changes: [], now: readRuleText(ruleId, newest.after) };
  return { state: newest.after === null ? 'deleted' : 'changed', changes: changes.slice(0, at), now: readRuleText(ruleId, newest.after) };
}
