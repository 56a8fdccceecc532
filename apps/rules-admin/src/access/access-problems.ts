import { problem, type ProblemAnswer, problemType } from '@sluice/platform';
import type { Role } from './role.js';

const REALM = 'Bearer realm="sluice-admin"';

/** 401. RFC 6750 section 3: no error code when no token was presented. */
export function unauthorized({ presented }: { readonly presented: boolean }): ProblemAnswer {
  const detail = presented ? 'The bearer token is not valid here.' : 'Send Authorization: Bearer with a token.';
  return {
    problem: problem(401, { type: problemType('unauthorized'), title: 'Unauthorized', detail }),
    headers: { 'www-authenticate': presented ? `${REALM}, error="invalid_token"` : REALM },
  };
}

/** 403: known, and not allowed this; `held` is undefined for who has no role at all. */
export function forbidden(held: Role | undefined, asked: readonly string[]): ProblemAnswer {
  const detail = `This takes the role ${asked.join(' or ')}; the token has ${held ?? 'none'}. Nothing was changed.`;
  return {
    problem: problem(403, { type: problemType('forbidden'), title: 'Forbidden', detail }),
    headers: { 'www-authenticate': `${REALM}, error="insufficient_scope"` },
  };
}

/** 429: too many tokens that were none came from there, or from everywhere. */
export function tooManyFailures(retryAfterMs: number): ProblemAnswer {
  const detail = 'Too many requests with a token that is not valid. A valid token passes at any time; one that another replica issued just now does within a second.';
  return {
    problem: problem(429, { type: problemType('too-many-failed-logins'), title: 'Too many failed logins', detail }),
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
  };
}

/** 503: it may be a good token, and who would know is away. */
export function cannotTell(who: 'database' | 'issuer'): ProblemAnswer {
  const [slug, title] = who === 'database' ? ['database-unavailable', 'Database unavailable'] : ['issuer-unavailable', 'Issuer unavailable'];
  const detail = `Whether this token is valid cannot be found out now, since the ${who === 'database' ? 'database' : 'OIDC issuer'} does not answer. Nothing was changed.`;
  return { problem: problem(503, { type: problemType(slug), title, detail }), headers: { 'retry-after': '2' } };
}
