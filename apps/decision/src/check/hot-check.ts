import type { HotRoute } from '@sluice/platform';
import { askerAt } from '../access/asker.js';
import type { MayAsk } from '../access/may-ask.js';
import { textAnswerOf } from './text-answer-of.js';
import { parseCheckRequest } from './check-request.js';
import { CHECK_URL } from './check-url.js';
import { decide, type DecideParts } from './decide.js';

export interface HotCheckParts extends DecideParts {
  readonly mayAsk: MayAsk;
  readonly hasRules: () => boolean;
}

/** As every body of the app. */
const BODY_LIMIT = 65_536;

/**
 * The short way to the check. What `parseCheckRequest` takes is all that the app's strict JSON takes of it: an object of known names, with
 * descriptors of two known names whose values are text, so that neither `__proto__`, nor an inherited name, nor deep nesting is among them.
 */
export function hotCheck(parts: HotCheckParts): HotRoute {
  const { mayAsk, hasRules } = parts;
  return {
    url: CHECK_URL,
    bodyLimit: BODY_LIMIT,
    admits: ({ socket, headers }) => mayAsk(askerAt(socket, headers.authorization)) && hasRules(),
    answer: (body) => {
      const parsed = parseCheckRequest(jsonOf(body));
      if (!parsed.ok) return undefined;
      const decided = decide(parts, parsed.request);
      return decided instanceof Promise ? decided.then(textAnswerOf) : textAnswerOf(decided);
    },
  };
}

/** Undefined for what is no JSON, which is no check either. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
