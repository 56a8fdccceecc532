import { type FieldFault, invalidRequest, jsonPointer, sendProblem } from '@sluice/platform';
import type { FastifyInstance } from 'fastify';

/** PostgreSQL can store neither NUL nor half of a surrogate pair (which is all that the class matches), and says so only when it is too late for a 400. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** The first text in a parsed value that cannot be stored. The platform has bounded the nesting before. */
function unstorable(value: unknown, path: readonly string[] = []): FieldFault | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { pointer: jsonPointer(path), detail: 'must be well-formed Unicode without NUL' };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, child] of Object.entries(value)) {
    const fault = isStorable(name) ? unstorable(child, [...path, name]) : { pointer: jsonPointer(path), detail: 'must have names in well-formed Unicode without NUL' };
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Answers bodies, queries and path parameters with such text with 400 before any handler sees them. */
export function refuseUnstorableText(fastify: FastifyInstance): void {
  fastify.addHook('preValidation', async (request, reply) => {
    const fault = unstorable(request.body) ?? unstorable(request.query, ['query']) ?? unstorable(request.params, ['path']);
    return fault === undefined ? undefined : sendProblem(reply, invalidRequest([fault]));
  });
}
