import type { Facts, LimitFacts } from './facts.js';
import { UNKNOWN_SINCE } from './rule-since.js';

/** What of the facts its own tenant may see: of a key that is not its own now, or of which nobody can tell that, nothing of what came after the decision. */
export function tenantsFacts(facts: Facts): Facts {
  if (facts.keySince === 'same' || facts.event.attributes['key_id'] === undefined) return facts;
  return { ...facts, inForce: undefined, limits: facts.limits.map(asThen) };
}

function asThen(limit: LimitFacts): LimitFacts {
  const { override } = limit;
  return { ...limit, since: UNKNOWN_SINCE, inForce: undefined, override: override === undefined ? undefined : { ...override, state: 'unknown', last: undefined, endedAtMs: undefined } };
}
