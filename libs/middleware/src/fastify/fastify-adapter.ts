import type { FastifyReply, FastifyRequest } from 'fastify';
import { denialProblem, PROBLEM_CONTENT_TYPE } from '../denial-problem.js';
import { EXPOSED_HEADERS } from '../rate-limit-headers.js';
import { originForm } from '../skin/origin-form.js';
import { belowTemplate, type PathReading, routedPath } from '../skin/routed-path.js';
import { flatText } from '../flat-text.js';
import { routeTemplate, ruleMethod } from '../skin/route-template.js';
import type { SkinAdapter } from '../skin/skin-adapter.js';

const HOPS = 99;
/** A chain of strangers, longer than any row of proxies: who believes all of it believes everybody. */
const STRANGERS = { headers: { 'x-forwarded-for': Array.from({ length: HOPS }, () => '203.0.113.1').join(', ') }, socket: { remoteAddress: '203.0.113.1' } };

/** Fastify keeps names in lower case, and a text that it makes anew for each answer costs V8 a look into its table of strings. */
const LOWER_CASE: Readonly<Record<string, string>> = Object.fromEntries(EXPOSED_HEADERS.split(', ').map((name) => [name, name.toLowerCase()]));

/** How Fastify is read and written. */
export const fastifyAdapter: SkinAdapter<FastifyRequest, FastifyReply> = {
  raw: (request) => request.raw,
  response: (reply) => reply.raw,
  endpoint(request, reading) {
    const { url } = request.routeOptions;
    const template = url === undefined ? undefined : routeTemplate(url);
    if (template !== undefined && !template.endsWith('*')) return `${ruleMethod(request.method)} ${template}`;
    const path = pathOf(request, reading);
    // Where a parameter is empty the segments are not those of the template, though the router has matched it.
    return flatText(`${ruleMethod(request.method)} ${template === undefined ? path : (belowTemplate(template, path) ?? template)}`);
  },
  setHeaders(reply, headers) {
    for (const name in headers) reply.header(LOWER_CASE[name] ?? name, headers[name]);
  },
  refuse(_request, reply, decision) {
    const problem = denialProblem(decision);
    reply.code(problem.status).header('Content-Type', PROBLEM_CONTENT_TYPE).send(JSON.stringify(problem));
  },
  trustsEverybody(request) {
    const { ips } = Object.create(request, { raw: { value: STRANGERS } }) as FastifyRequest;
    return ips !== undefined && ips.length > HOPS;
  },
};

/** What the router has matched: the target as `rewriteUrl` has left it. */
function pathOf({ url, server }: FastifyRequest, reading: PathReading): string {
  return routedPath(originForm(url), reading, server, isCaseSensitive);
}

function isCaseSensitive({ initialConfig: { caseSensitive, routerOptions } }: FastifyRequest['server']): boolean {
  return (routerOptions?.caseSensitive ?? caseSensitive) !== false;
}
