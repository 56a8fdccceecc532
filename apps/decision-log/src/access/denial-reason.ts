/** Why a request was not let in: the log's word for it, and the label of a metric, so few of them. */
export const DENIAL_REASONS = [
  'no_token',
  'malformed_token',
  'unknown_token',
  /** Known, and the role means nothing here. */
  'no_role',
  /** Known, and the role does not reach. */
  'role',
  /** One guess too many from there. */
  'throttled',
  /** Whether the token is good, or still good, cannot be found out now. */
  'unavailable',
] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];
