import type { Decision } from '@sluice/limiter';
import { chosenHeaders, denialProblem, type HeaderChoice, PROBLEM_CONTENT_TYPE } from '@sluice/middleware';
import type { HeaderValue } from '../messages.js';

/** What a client gets to see of the answer through Envoy. */
export interface ResponseFields {
  readonly responseHeadersToAdd: readonly HeaderValue[];
  readonly rawBody: string;
}

const NONE: readonly HeaderValue[] = Object.freeze([]);
const CONTENT_TYPE: HeaderValue = Object.freeze({ key: 'content-type', value: PROBLEM_CONTENT_TYPE });

/**
 * The fields of R70 by the decision that decides, on an answer that passes and on one that does not; a refusal has the problem document as
 * its body. Envoy appends them to the response, in lower case, and lets a `content-type` of the service win over its own.
 */
export function responseFields(deciding: Decision | undefined, isOver: boolean, choice: HeaderChoice): ResponseFields {
  if (deciding?.deciding === undefined) return { responseHeadersToAdd: NONE, rawBody: '' };
  const responseHeadersToAdd: HeaderValue[] = [];
  const headers = chosenHeaders(deciding, choice);
  for (const name in headers) responseHeadersToAdd.push({ key: lowerCase(name), value: headers[name] ?? '' });
  if (!isOver) return { responseHeadersToAdd, rawBody: '' };
  responseHeadersToAdd.push(CONTENT_TYPE);
  return { responseHeadersToAdd, rawBody: problemText(deciding) };
}

const lowered = new Map<string, string>();

/** The names are a handful of our own, and lowering them was a fifth of an answer. */
function lowerCase(name: string): string {
  let lower = lowered.get(name);
  if (lower === undefined) lowered.set(name, (lower = name.toLowerCase()));
  return lower;
}

/** The service says over or not, and Envoy's 429 is all that can follow: so also when the store is away, where the reason says so. */
function problemText(decision: Decision): string {
  return JSON.stringify({ ...denialProblem(decision), status: 429 });
}
