import { problem, sendProblem } from '@sluice/platform';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/**
 * An `onRequest` hook for targets that the proxy library would refuse once they are counted, or that gateway and upstream could read differently: no path
 * (absolute-form, `*`), two slashes in front, backslashes, a fragment, a step up. 400 before anything is charged.
 */
export function refuseOddTarget(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const detail = oddity(request.url);
  if (detail === undefined) done();
  else sendProblem(reply, problem(400, { detail }));
}

function oddity(url: string): string | undefined {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  if (!path.startsWith('/')) return 'The request target must be a path.';
  if (path.startsWith('//')) return 'The path must not begin with two slashes.';
  if (/\\|%5c|#/i.test(path)) return 'The path must hold neither a backslash nor a fragment.';
  const plain = path.includes('%') ? path.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/') : path;
  return plain.includes('/..') || plain.includes('../') ? 'The path must not hold steps up.' : undefined;
}
