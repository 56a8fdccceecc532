import { matching, text } from './checks.js';

/** Ids of rules, plans and overrides. Neither `:` nor `~`: synthetic ids and counting identities need a character of their own; `.` and `..` are no names in a path. */
export const ID = matching(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/);

/** Ids of rules in a snapshot: stored ones, and their proposed versions by {@link proposedId}. */
export const PUBLISHED_RULE_ID = matching(/^(proposed:)?[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/);

/** What an override can be of: a rule, or a plan's default limit by {@link planDefaultId}. */
export const OVERRIDE_TARGET = matching(/^(plan:)?[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/);

/** Policies name themselves in a structured header field (RFC 9651), where lower case is the custom. */
export const POLICY = matching(/^[a-z0-9_.-]{1,64}$/);

/** Request attributes; neither `~` nor `,`, which counting identities separate with. */
export const ATTRIBUTE_NAME = matching(/^[a-zA-Z0-9_.:/-]{1,64}$/);

/** An exact descriptor value, or `*` for any. */
export const DESCRIPTOR_VALUE = text(256);

export const KEY_ID = text(256);

export const DISPLAY_NAME = text(128);

const PLAN_DEFAULT_PREFIX = 'plan:';

/** Id of the rule that a plan's default limit stands for; no stored rule can have it, since ids hold no colon. */
export function planDefaultId(planId: string): string {
  return PLAN_DEFAULT_PREFIX + planId;
}

const PROPOSED_PREFIX = 'proposed:';

/** Id by which a proposed version of a rule stands in the snapshot, beside the one in force (R58); no stored rule can have it. */
export function proposedId(ruleId: string): string {
  return PROPOSED_PREFIX + ruleId;
}

/** The rule that is proposed to be replaced; undefined for what is no proposed version. */
export function replacedRuleId(ruleId: string): string | undefined {
  return ruleId.startsWith(PROPOSED_PREFIX) ? ruleId.slice(PROPOSED_PREFIX.length) : undefined;
}

/** Rule and policy of a limit that a caller names for a request; {@link givenIdentity} tells its counters from those of a stored rule of that name. */
export const GIVEN_RULE = 'given';

/** Before the window in the identity of what counts requests by all of these attributes. No stored rule can have it, and `~` stays a separator. */
export function givenIdentity(names: readonly string[]): string {
  return `${GIVEN_RULE}:${JSON.stringify(names).replaceAll('~', '\\u007e')}`;
}
