import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemAnswer } from '../problem/problem.js';
import { sendProblem } from '../problem/send-problem.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The least roles that open the route, in the words of the app; by its `@Access` on Nest's routes, by `config: { access }` on others. */
    readonly access?: readonly string[];
  }
}

/** Whether a request is let in: undefined, or what it is answered instead. */
export type Admit = (request: FastifyRequest, asked: readonly string[]) => ProblemAnswer | undefined | Promise<ProblemAnswer | undefined>;

/** A route as the router has it. */
export interface RoutedAccess {
  readonly method: string;
  /** Fastify's template, `/v1/rules/:rule_id`. */
  readonly url: string;
  /** The least roles that open it; undefined for one that is open to everybody. */
  readonly roles: readonly string[] | undefined;
}

/**
 * Puts a door in front of every route that names roles, Nest's or not, before its body is read. It stands before all hooks that are added later. A route
 * of the API without roles is refused where it is registered, which stops the start.
 *
 * @returns all routes that are registered afterwards, as they come
 */
export function guardRoutes(fastify: FastifyInstance, admit: Admit): readonly RoutedAccess[] {
  const routes: RoutedAccess[] = [];
  fastify.addHook('onRoute', ({ method, url, config }) => {
    const roles = config?.access;
    if (/^\/v\d/.test(url) && (roles ?? []).length === 0) throw new Error(`${String(method)} ${url} names no role: a route of the API needs @Access (R62).`);
    for (const name of [method].flat()) routes.push({ method: name, url, roles });
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const asked = request.routeOptions.config.access;
    const answer = asked === undefined ? undefined : admit(request, asked);
    if (answer === undefined) done();
    else if ('then' in answer) answer.then((late) => goOn(late, reply, done), done);
    else goOn(answer, reply, done);
  });
  return routes;
}

function goOn(answer: ProblemAnswer | undefined, reply: FastifyReply, done: () => void): void {
  if (answer === undefined) done();
  else sendProblem(reply, answer.problem, answer.headers);
}
