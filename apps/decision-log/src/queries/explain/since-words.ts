import type { LimitNow } from '../../control-plane/in-force.js';
import type { Facts, LimitFacts } from './facts.js';
import { limitWords, rateWords } from './limit-words.js';
import { timeOf } from './words.js';

/** What became of the deciding limit since, in sentences for the customer; none where all is as it was, or nobody knows. */
export function sinceWords({ event, limits: [deciding] }: Pick<Facts, 'event' | 'limits'>): readonly string[] {
  if (deciding === undefined) return [];
  const now = deciding.inForce === undefined ? changedWords(deciding) : nowWords(deciding, deciding.inForce.limit);
  return [...overrideWords(deciding, event.at_ms), ...now];
}

function overrideWords({ override }: LimitFacts, atMs: number): readonly string[] {
  if (override === undefined) return [];
  const { state, endedAtMs, last } = override;
  if (endedAtMs !== undefined) return [`The temporary limit ${state === 'removed' ? 'was lifted' : 'ended'} at ${timeOf(endedAtMs, atMs)}.`];
  return last === undefined ? [] : [`The temporary limit ends at ${timeOf(last.expiresAtMs, atMs)}.`];
}

/** By what would apply to the same request now. */
function nowWords({ limit, text }: LimitFacts, now: LimitNow | undefined): readonly string[] {
  if (now === undefined) return ['No such limit applies to your requests any more.'];
  const isSameWindow = now.windowMs === limit.window_ms;
  if (now.limit === limit.limit && isSameWindow) return [];
  // The calendar of another rule is not known here.
  const rate = rateWords(now.limit, now.windowMs, isSameWindow && now.ruleId === limit.rule_id ? text?.quota : undefined);
  return [now.overrideId === undefined ? `Your limit is now ${rate}.` : `For the time being, your limit is ${rate}.`];
}

/** By the rule alone, where nobody can say what applies. */
function changedWords({ since, limit }: LimitFacts): readonly string[] {
  if (limit.override_id !== null) return [];
  if (since.state === 'deleted') return ['That limit has since been taken away.'];
  const { now } = since;
  if (since.state !== 'changed' || now?.quota === undefined) return [];
  const { limit: permits, windowMs } = now.quota;
  if (permits === limit.limit && windowMs === limit.window_ms) return [];
  const changed = limitWords({ limit: { ...limit, limit: permits, window_ms: windowMs }, text: now, since, override: undefined, inForce: undefined });
  return [`That limit has since been changed to ${changed}.`];
}
