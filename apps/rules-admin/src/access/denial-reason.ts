/** Why a request was not let in; the label of a metric, so few of them. */
export const DENIAL_REASONS = ['no_token', 'malformed_token', 'unknown_token', 'role'] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];
