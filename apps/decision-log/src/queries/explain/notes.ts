import { replacedRuleId } from '@sluice/rules';
import type { LogEntry } from '../../control-plane/log-entry.js';
import type { Facts, LimitFacts } from './facts.js';
import { toldOf } from './told.js';
import { plain } from './words.js';

const SOURCES: Readonly<Record<string, string>> = {
  local: 'from what the node had leased, without asking the shared counter, so that `remaining` is its own view',
  store: 'by the shared counter',
  fallback: 'by the node alone, since the counter store could not be reached',
  none: 'without any counter',
};

/** What an operator wants to know beside the sentence; a tenant is told no names of nodes and people. */
export function notesOf(facts: Facts, { forTenant }: { readonly forTenant: boolean }): readonly string[] {
  const { event, limits, unavailable } = facts;
  const where = forTenant ? `in region ${event.region}` : `by node ${event.node_id} (${event.app}) in region ${event.region}`;
  return [
    ...(event.kind === 'decision' ? [`Decided ${where}, ${SOURCES[event.source] ?? event.source}; version ${event.snapshot_version} of the rules.`] : [`Recorded ${where}; version ${event.snapshot_version} of the rules.`]),
    ...(event.sampled_share < 1 ? [`This event is one of a sample: ${percent(event.sampled_share)} of the requests like it are recorded.`] : []),
    ...(event.app === 'decision' && toldOf(event) !== undefined ? ['It was asked for through the decision service: what the client was told in the end, its own service or proxy decided.'] : []),
    ...limits.flatMap((limit) => limitNotes(limit, facts, forTenant)),
    ...keyNotes(facts, forTenant),
    // Why it could not be asked is no customer's business.
    ...(unavailable === undefined || forTenant ? [] : [`The control plane could not be asked (${unavailable}): the texts of rules, and what is in force now, may be missing.`]),
    ...(unavailable === undefined && facts.keySince === 'unknown' && event.kind === 'decision' ? ['What applies to such a request now could not be found out.'] : []),
  ];
}

function keyNotes({ event, inForce, keySince }: Facts, forTenant: boolean): readonly string[] {
  const { plan, tenant_id: tenantId = '' } = event.attributes;
  // That somebody else has it is not said either.
  if (forTenant && (keySince === 'gone' || keySince === 'moved')) return ['The key is not one of this account any more: what became of its limits since is not said.'];
  if (keySince === 'gone') return ['The key has been deleted.'];
  return [
    ...(keySince === 'moved' ? [`The key is of tenant ${inForce?.tenantId ?? ''} now, and was of tenant ${plain(tenantId)} then: what applies to it now is left out.`] : []),
    ...(inForce?.plan !== undefined && plan !== undefined && inForce.plan !== plan ? [`The key was on plan ${plain(plan)} then and is on plan ${inForce.plan} now.`] : []),
    ...(inForce?.keyDisabled === true ? ['The key is disabled now.'] : []),
  ];
}

function limitNotes(facts: LimitFacts, { unavailable, event, nowMs, keySince }: Facts, forTenant: boolean): readonly string[] {
  const { limit, text, since, override, inForce } = facts;
  const name = `Rule ${plain(limit.rule_id)}`;
  const known = unavailable === undefined;
  const differs = text?.quota !== undefined && limit.override_id === null && (text.quota.limit !== limit.limit || text.quota.windowMs !== limit.window_ms);
  return [
    ...(text === undefined && known ? [`${name} at version ${limit.rule_version} is not known to the control plane.`] : []),
    ...(differs ? [`${name} at version ${limit.rule_version} has another limit in the control plane's log than the node enforced; after a restored backup versions can repeat.`] : []),
    ...(since.state === 'changed' ? [`${name} was at version ${limit.rule_version}; now it is at ${String(since.now?.version ?? 'another')}${changesWords(since.changes, forTenant)}.`] : []),
    ...(since.state === 'deleted' ? [`${name} has been deleted${changesWords(since.changes, forTenant)}.`] : []),
    ...(override === undefined ? [] : overrideNotes(facts, nowMs, forTenant)),
    ...(limit.source === 'fallback' && limit.reason !== 'store_unavailable' ? [`${name} was counted by the node alone, with the limit divided by the size of the fleet.`] : []),
    ...(limit.reason === 'store_unavailable' ? [`${name} refuses while the counter store cannot be reached (on_store_failure: deny).`] : []),
    ...(event.kind === 'decision' && keySince === 'same' && text !== undefined && inForce === undefined ? [`What applies in its place now cannot be told: the event lacks attributes that ${plain(limit.rule_id)} looks at.`] : []),
    ...(replacedRuleId(limit.rule_id) === undefined ? [] : [`${name} is a proposed version, and refuses nobody.`]),
  ];
}

function overrideNotes({ override, limit }: LimitFacts, nowMs: number, forTenant: boolean): readonly string[] {
  if (override === undefined) return [];
  const { overrideId, then, state, endedAtMs } = override;
  const wasLate = then !== undefined && then.limit !== limit.limit;
  const why = forTenant || then?.reason === undefined ? '' : ` Its reason: ${plain(then.reason)}.`;
  const ends: Readonly<Record<string, string>> = {
    live: 'is in force',
    changed: 'is in force, with another limit or end than then',
    expired: `expired at ${iso(endedAtMs ?? nowMs)}`,
    removed: `was removed at ${iso(endedAtMs ?? nowMs)}, before its end`,
    unknown: 'is not known to the control plane',
  };
  return [`Override ${plain(overrideId)} ${ends[state] ?? state}.${why}`, ...(wasLate ? [`Override ${plain(overrideId)} has another limit in the control plane's log than the node enforced.`] : [])];
}

function changesWords(changes: readonly LogEntry[], forTenant: boolean): string {
  const [newest] = changes;
  if (newest === undefined) return '';
  const times = changes.length === 1 ? '' : `${changes.length} changes, the last one `;
  return ` (${times}at ${iso(newest.atMs)}${forTenant ? '' : ` by ${newest.actor}`})`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function percent(share: number): string {
  return `${String(Number((share * 100).toPrecision(3)))} %`;
}
