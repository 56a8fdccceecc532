import { reasonMark } from './finding.js';
import type { LiveOverride, OverridesClient } from './overrides-client.js';
import type { OverrideTerms } from './pattern.js';

/** How a key stands with a rule now. */
export interface Standing {
  /** Of the rule itself. */
  readonly ruleLimit: number;
  /** The least that the rule and the key's live overrides of it give. */
  readonly leastLimit: number;
  readonly live: readonly LiveOverride[];
}

/**
 * Undefined where the rule is not there, or has no limit.
 * @throws Error where the control plane cannot be asked
 */
export async function standingOf(client: Pick<OverridesClient, 'limitOf' | 'live'>, keyId: string, ruleId: string): Promise<Standing | undefined> {
  const ruleLimit = await client.limitOf(ruleId);
  if (ruleLimit === undefined) return undefined;
  const live = await client.live(keyId, ruleId);
  return { ruleLimit, leastLimit: Math.min(ruleLimit, ...live.map(({ limit }) => limit)), live };
}

/** The override that a pattern has made already: another replica, or this one before it started again. */
export function madeBefore({ live }: Pick<Standing, 'live'>, patternId: string): LiveOverride | undefined {
  return live.find(({ reason }) => reason.startsWith(reasonMark(patternId)));
}

/**
 * The limit that a key is to have, or why none: it is never below the floor, and never one that gives the key more than it has. An override that lasts
 * longer counts as well: of several the one that ends first applies, and that would be the new one.
 */
export function limitBy({ limit, factor = 1, floor }: OverrideTerms, { ruleLimit, leastLimit }: Pick<Standing, 'ruleLimit' | 'leastLimit'>): number | string {
  const wanted = Math.max(floor, limit ?? Math.floor(ruleLimit * factor));
  return wanted < leastLimit ? wanted : `its limit of ${leastLimit} is not above the ${wanted} that it would get`;
}
