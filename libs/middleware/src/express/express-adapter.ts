import type { Request, Response } from 'express';
import { denialProblem, PROBLEM_CONTENT_TYPE } from '../denial-problem.js';
import { endpointOf } from '../endpoint-of.js';
import { originForm } from '../skin/origin-form.js';
import { routeTemplate, ruleMethod } from '../skin/route-template.js';
import type { SkinAdapter } from '../skin/skin-adapter.js';

/** A hop of nobody, further away than any proxy: who trusts it trusts everybody. */
const STRANGER = ['203.0.113.1', 99] as const;

/** How Express is read and written. Express's request and answer are those of node:http. */
export const expressAdapter: SkinAdapter<Request, Response> = {
  raw: (request) => request,
  response: (answer) => answer,
  endpoint(request) {
    const { method, baseUrl } = request;
    const path: unknown = request.route?.path;
    const template = typeof path === 'string' ? routeTemplate(path) : undefined;
    if (template === undefined) return endpointOf(method, originForm(request.originalUrl));
    // Express does not say by which template a router was mounted, so its part is the path of the request.
    if (baseUrl !== '') return endpointOf(method, baseUrl) + (template === '/' ? '' : template);
    return `${ruleMethod(method)} ${template}`;
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
