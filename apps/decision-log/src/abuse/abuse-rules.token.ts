/** Token of the {@link AbuseRules} in the module. */
export const ABUSE_RULES = Symbol('abuse rules');
