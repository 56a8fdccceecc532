import type { ProblemAnswer } from '@sluice/platform';
import type { Principal } from './acting.js';
import type { DenialReason } from './denial-reason.js';

/** Why a request was not let in, and what it is answered. */
export interface Denial {
  readonly status: 'denied';
  readonly reason: DenialReason;
  readonly answer: ProblemAnswer;
  /** Who it was, where that is known. */
  readonly actor?: string;
}

/** Who a request comes from, or that nobody knows. A value: a wrong token is no fault. */
export type Authentication =
  | { readonly status: 'known'; readonly principal: Principal }
  /** Somebody of the issuer's who is nobody here. */
  | { readonly status: 'known_without_role'; readonly actor: string }
  | Denial;
