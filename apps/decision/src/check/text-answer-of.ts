import { rateLimitHeaders } from '@sluice/middleware';
import type { TextAnswer } from '@sluice/platform';
import type { Decided } from './decide.js';

/** The answer to a check: the fields of R70 are there for whoever passes them on. */
export function textAnswerOf({ decision, text }: Decided): TextAnswer {
  return { text, fields: rateLimitHeaders(decision) };
}
