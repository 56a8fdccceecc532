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

/** 403: known, and not allowed this. */
export function forbidden(held: Role, asked: readonly Role[]): ProblemAnswer {
  const detail = `This takes the role ${asked.join(' or ')}; the token has ${held}. Nothing was changed.`;
  return {
    problem: problem(403, { type: problemType('forbidden'), title: 'Forbidden', detail }),
    headers: { 'www-authenticate': `${REALM}, error="insufficient_scope"` },
  };
}
