import { problem, type ProblemAnswer, problemType } from '@sluice/platform';
import type { CallerRole } from './caller-role.js';

const REALM = 'Bearer realm="sluice-decision-log"';

/** 401. RFC 6750 section 3: no error code when no token was presented. */
export function unauthorized({ presented }: { readonly presented: boolean }): ProblemAnswer {
  const detail = presented ? 'The bearer token is not valid here. Tokens are those of the control plane.' : 'Send Authorization: Bearer with a token of the control plane.';
  return {
    problem: problem(401, { type: problemType('unauthorized'), title: 'Unauthorized', detail }),
    headers: { 'www-authenticate': presented ? `${REALM}, error="invalid_token"` : REALM },
  };
}

/** 403: known, and not allowed this; `held` is undefined for a role that means nothing here. */
export function forbidden(held: CallerRole | undefined, asked: readonly string[]): ProblemAnswer {
  const detail = `This takes the role ${asked.join(' or ')}; the token has ${held ?? 'none that means anything here'}. Nothing was changed.`;
  return {
    problem: problem(403, { type: problemType('forbidden'), title: 'Forbidden', detail }),
    headers: { 'www-authenticate': `${REALM}, error="insufficient_scope"` },
  };
}

/** 429: too many tokens that are none came from there, or from everywhere. */
export function tooManyGuesses(retryAfterMs: number): ProblemAnswer {
  const detail = 'Too many tokens that are not valid came from this address, or from all together. A token that was used here lately passes at any time.';
  return {
    problem: problem(429, { type: problemType('too-many-failed-logins'), title: 'Too many failed logins', detail }),
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
  };
}

/** 503: it may be a good token, and who would know is away: the control plane, or of a JWT its issuer. */
export function cannotTell(): ProblemAnswer {
  const detail = 'Whether this token is valid cannot be found out now, since the control plane does not answer, or does not reach who issued it. Nothing was changed.';
  return {
    problem: problem(503, { type: problemType('control-plane-unavailable'), title: 'Control plane unavailable', detail }),
    headers: { 'retry-after': '2' },
  };
}

/** 503: it was a good token lately, which is enough for reading and no more. */
export function readsOnly(): ProblemAnswer {
  const detail = 'The control plane does not answer, or does not reach who issued this token, so that it may have been revoked: it can read for now, and change nothing. Nothing was changed.';
  return {
    problem: problem(503, { type: problemType('control-plane-unavailable'), title: 'Control plane unavailable', detail }),
    headers: { 'retry-after': '2' },
  };
}
