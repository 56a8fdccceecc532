import { problem, type ProblemAnswer, problemType } from '@sluice/platform';
import { isNativeError } from 'node:util/types';
import { QueryFailedError } from 'typeorm';
import { DatabaseUnavailable } from './database-unavailable.js';

/**
 * SQLSTATEs that say "not now": connection lost (08), shutting down or starting (57P0x), cancelled by a timeout (57014), out of
 * connections (53), lock not had in time (55P03), a deadlock or a conflict with another transaction (40), a standby after a failover (25006).
 */
const UNAVAILABLE_STATES = /^(08|53|40|57P0|57014$|55P03$|25006$)/;

const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** What pg says without a code, and TypeORM of a connection that was lost between two statements of a transaction. */
const UNAVAILABLE_MESSAGES = /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|not queryable|Driver not Connected|(?:Query runner|was) already released/i;

/** Whether an error means that the database cannot serve now, and not that something was wrong with the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (error instanceof QueryFailedError) return isDatabaseUnavailable(error.driverError);
  // Not instanceof: node's own errors are of another realm where tests run, and only there.
  if (!isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.some(isDatabaseUnavailable)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return NETWORK_CODES.has(code) || UNAVAILABLE_STATES.test(code) || UNAVAILABLE_MESSAGES.test(error.message);
}

const READS = new Set(['GET', 'HEAD']);

/** 503 while the database cannot serve; what a request that changes something came to is not known then. */
export function databaseProblem(error: unknown, method: string): ProblemAnswer | undefined {
  if (!isDatabaseUnavailable(error)) return undefined;
  return {
    problem: problem(503, {
      type: problemType('database-unavailable'),
      title: 'Database unavailable',
      detail: `The database cannot be reached now.${READS.has(method) ? '' : ' A write that was under way may have been applied: look before you repeat it.'}`,
    }),
    headers: { 'retry-after': '2' },
  };
}
