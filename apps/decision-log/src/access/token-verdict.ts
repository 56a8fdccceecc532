import type { Caller } from './caller.js';

/** What the control plane says of a token. */
export type TokenVerdict =
  /** `expiresAtMs`, on the clock of this machine: it is not good any more then, whatever was remembered. */
  | { readonly status: 'known'; readonly caller: Caller; readonly expiresAtMs: number }
  | { readonly status: 'unknown' }
  /** Good there, and its role means nothing here. */
  | { readonly status: 'no_role'; readonly actor: string | undefined }
  /** Too many that are none came from this service, so that it did not look: a good one passes all the same, but for one that was issued within the last second. */
  | { readonly status: 'throttled' }
  /** A JWT of which only its issuer could tell, and the control plane cannot ask that now: it says so of this token, and answers for others. */
  | { readonly status: 'issuer_away' }
  | { readonly status: 'away'; readonly why: string };
