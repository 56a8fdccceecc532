import type { Facts, InPlace, LimitFacts } from './facts.js';
import { EACH_KEY, limitWords, rateWords, scopeWords } from './limit-words.js';
import { timeOf } from './words.js';

/** What became of the deciding limit since, in sentences for the customer; none where all is as it was, or nobody knows. */
export function sinceWords({ event, limits: [deciding], keySince }: Pick<Facts, 'event' | 'limits' | 'keySince'>): readonly string[] {
  // What became of it concerns whoever has the key now.
  if (deciding === undefined || keySince === 'gone' || keySince === 'moved') return [];
  const now = deciding.inForce === undefined ? changedWords(deciding) : nowWords(deciding, deciding.inForce);
  return [...overrideWords(deciding, event.at_ms), ...now];
}

function overrideWords({ override }: LimitFacts, atMs: number): readonly string[] {
  if (override === undefined) return [];
  const { state, endedAtMs, last } = override;
  if (endedAtMs !== undefined) return [`The temporary limit ${state === 'removed' ? 'was lifted' : 'ended'} at ${timeOf(endedAtMs, atMs)}.`];
  return last === undefined ? [] : [`The temporary limit ends at ${timeOf(last.expiresAtMs, atMs)}.`];
}

/** By what would apply to the same request now. */
function nowWords({ limit, text }: LimitFacts, { limit: now, text: textNow }: InPlace): readonly string[] {
  if (now === undefined) return ['No such limit applies to your requests any more.'];
  const rate = rateWords(now.limit, now.windowMs, textNow?.quota);
  const scopeThen = scopeWords(text?.rule?.count_by);
  const scope = now.countBy === undefined ? scopeThen : scopeWords(now.countBy);
  const isSameNumber = now.limit === limit.limit && now.windowMs === limit.window_ms;
  // Of a rule that is not known nobody can tell whether it has a calendar.
  const isSameRate = isSameNumber && (textNow === undefined || rate === rateWords(limit.limit, limit.window_ms, text?.quota));
  if (isSameRate && scope === scopeThen) return [];
  const words = [rate, scope === '' && scopeThen !== '' ? EACH_KEY : scope].filter((part) => part !== '').join(' ');
  return [now.overrideId === undefined ? `Your limit is now ${words}.` : `For the time being, your limit is ${words}.`];
}

/** By the rule alone, where nobody can say what applies. */
function changedWords({ since, limit, text }: LimitFacts): readonly string[] {
  if (limit.override_id !== null) return [];
  if (since.state === 'deleted') return ['That limit has since been taken away.'];
  const { now } = since;
  if (since.state !== 'changed' || now?.quota === undefined) return [];
  const { limit: permits, windowMs } = now.quota;
  const changed = limitWords({ limit: { ...limit, limit: permits, window_ms: windowMs }, text: now });
  const isSame = text === undefined ? permits === limit.limit && windowMs === limit.window_ms : changed === limitWords({ limit, text });
  if (isSame) return [];
  return [`That limit has since been changed to ${changed}.`];
}
