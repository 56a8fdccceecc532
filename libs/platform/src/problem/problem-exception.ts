import { HttpException } from '@nestjs/common';
import type { Problem, ProblemAnswer } from './problem.js';

/** Ends a request with a problem; for faults of the request, where a value would have to travel through many layers. */
export class ProblemException extends HttpException implements ProblemAnswer {
  constructor(
    readonly problem: Problem,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super({ ...problem }, problem.status);
    this.message = problem.detail ?? problem.title;
  }
}
