import type { ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_CONTENT_TYPE } from '../denial-problem.js';
import { expressAdapter } from '../express/express-adapter.js';
import { fastifyAdapter } from '../fastify/fastify-adapter.js';
import type { SkinAdapter } from '../skin/skin-adapter.js';
import { RateLimitException } from './rate-limit.exception.js';

/** How Nest's HTTP platforms are read and written: by their own skins' adapters, whose frameworks are not loaded by that. */
export const httpAdapter: SkinAdapter<ExecutionContext, ExecutionContext> = {
  raw(context) {
    const request = requestOf(context);
    return isFastify(request) ? request.raw : request;
  },
  response(context) {
    const answer = answerOf(context);
    return isFastifyReply(answer) ? answer.raw : answer;
  },
  endpoint(context, reading) {
    const request = requestOf(context);
    return isFastify(request) ? fastifyAdapter.endpoint(request, reading) : expressAdapter.endpoint(request, reading);
  },
  setHeaders(context, headers) {
    const answer = answerOf(context);
    if (isFastifyReply(answer)) fastifyAdapter.setHeaders(answer, headers);
    else expressAdapter.setHeaders(answer, headers);
  },
  refuse(context, _same, decision, next) {
    const answer = answerOf(context);
    // Nest's own filter writes the body, and leaves a type that is there.
    if (isFastifyReply(answer)) answer.header('Content-Type', PROBLEM_CONTENT_TYPE);
    else answer.setHeader('Content-Type', PROBLEM_CONTENT_TYPE);
    next(new RateLimitException(decision));
  },
  trustsEverybody(context) {
    const request = requestOf(context);
    return isFastify(request) ? fastifyAdapter.trustsEverybody(request) : expressAdapter.trustsEverybody(request);
  },
};

function requestOf(context: ExecutionContext): Request | FastifyRequest {
  return context.getArgByIndex<Request | FastifyRequest>(0);
}

function answerOf(context: ExecutionContext): Response | FastifyReply {
  return context.getArgByIndex<Response | FastifyReply>(1);
}

function isFastify(request: Request | FastifyRequest): request is FastifyRequest {
  return 'routeOptions' in request;
}

function isFastifyReply(answer: Response | FastifyReply): answer is FastifyReply {
  return 'raw' in answer;
}
