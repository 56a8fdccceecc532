import { HttpException } from '@nestjs/common';
import type { Decision } from '@sluice/limiter';
import { denialProblem } from '../denial-problem.js';

/**
 * How Nest is told to refuse: 429, or 503 while the store is away and the rule says deny, with the problem document as the body. The fields of the answer are
 * set already. Exceptions are Nest's way to answer a request; the decision itself is a value (R45), and here for an own filter.
 */
export class RateLimitException extends HttpException {
  constructor(readonly decision: Decision) {
    const problem = denialProblem(decision);
    super(problem, problem.status);
    this.message = problem.detail;
  }
}
