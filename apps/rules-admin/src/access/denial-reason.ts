/** Why a request was not let in: the log's word for it, and the label of a metric, so few of them. */
export const DENIAL_REASONS = [
  'no_token',
  'malformed_token',
  /** Nobody's token, or a JWT that the issuer did not sign. */
  'unknown_token',
  'expired_token',
  /** A JWT of the issuer that is not meant for this, or not yet good. */
  'unfit_token',
  /** Known, and none of his roles means anything here. */
  'no_role',
  /** Known, and the role does not reach. */
  'role',
  /** One failure too many from there. */
  'throttled',
  /** Whether the token is good cannot be found out now. */
  'unavailable',
] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];
