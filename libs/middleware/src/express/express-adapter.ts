import type { Request, Response } from 'express';
import { denialProblem, PROBLEM_CONTENT_TYPE } from '../denial-problem.js';
import { belowTemplate, isOfTemplate, type PathReading, routedPath } from '../skin/routed-path.js';
import { flatText } from '../flat-text.js';
import { routeTemplate, ruleMethod } from '../skin/route-template.js';
import type { SkinAdapter } from '../skin/skin-adapter.js';

/** A hop of nobody, further away than any proxy: who trusts it trusts everybody. */
const STRANGER = ['203.0.113.1', 99] as const;

/** How Express is read and written. Express's request and answer are those of node:http. */
export const expressAdapter: SkinAdapter<Request, Response> = {
  raw: (request) => request,
  response: (answer) => answer,
  endpoint(request, reading) {
    const { method, baseUrl } = request;
    const route: unknown = request.route?.path;
    const template = typeof route === 'string' ? routeTemplate(route) : undefined;
    if (template === undefined) return flatText(`${ruleMethod(method)} ${pathOf(request, baseUrl + request.path, reading)}`);
    if (baseUrl === '' && !template.endsWith('*')) return `${ruleMethod(method)} ${template}`;
    return flatText(`${ruleMethod(method)} ${mountedTemplate(request, template, reading)}`);
  },
  setHeaders(answer, headers) {
    for (const name in headers) {
      const value = headers[name];
      if (value !== undefined) answer.setHeader(name, value);
    }
  },
  refuse(_request, answer, decision) {
    const problem = denialProblem(decision);
    answer.statusCode = problem.status;
    answer.setHeader('Content-Type', PROBLEM_CONTENT_TYPE);
    answer.end(JSON.stringify(problem));
  },
  trustsEverybody(request) {
    const trusts: unknown = request.app.get('trust proxy fn');
    return typeof trusts === 'function' && trusts(...STRANGER) === true;
  },
};

/** Express does not say by which template a router was mounted, so its part is the path of the request; so is what a wildcard stands for. */
function mountedTemplate(request: Request, template: string, reading: PathReading): string {
  const { baseUrl, path } = request;
  const mount = baseUrl === '' ? '' : pathOf(request, baseUrl, reading);
  const own = pathOf(request, path, reading);
  const matched = (template.endsWith('*') ? belowTemplate(template, own) : isOfTemplate(template, own) ? template : undefined) ?? own;
  return matched === '/' && mount !== '' ? mount : mount + matched || '/';
}

/** What the router matches: the target as middleware has left it, which is not what `originalUrl` says where one rewrites it. */
function pathOf({ app }: Request, path: string, reading: PathReading): string {
  return routedPath(path, reading, app, isCaseSensitive);
}

function isCaseSensitive(app: Request['app']): boolean {
  return app.enabled('case sensitive routing');
}
