import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { answerError } from './answer-error.js';
import type { ProblemTranslator } from './to-problem.js';

/** {@link answerError} for what Nest's own routes throw. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly translators: readonly ProblemTranslator[] = []) {}

  catch(error: unknown, host: ArgumentsHost): void {
    answerError(error, host.switchToHttp().getResponse<FastifyReply>(), this.translators);
  }
}
