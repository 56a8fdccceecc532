import { problem, type Problem, problemType } from './problem.js';

/** What Fastify says of bodies by these codes, as a kind of problem of its own that says what to send. */
const PROBLEMS: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: malformed('The body is not valid JSON (RFC 8259), or has a name that is not taken, such as __proto__.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: malformed('The body is empty: send a JSON object.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: problem(415, {
    type: problemType('unsupported-media-type'),
    title: 'Unsupported media type',
    detail: 'Bodies are JSON: send them with Content-Type: application/json.',
  }),
};

function malformed(detail: string): Problem {
  return problem(400, { type: problemType('malformed-json'), title: 'Malformed JSON', detail });
}

/** The answer to an error of Fastify that has a kind of its own; undefined for others. By shape, as {@link toProblem} knows all of Fastify's. */
export function frameworkProblem(error: object): Problem | undefined {
  return 'code' in error && typeof error.code === 'string' ? PROBLEMS[error.code] : undefined;
}
