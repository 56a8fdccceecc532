import type { IncomingMessage } from 'node:http';
import { errors } from 'undici';

/**
 * A limit of time until the final answer, from the first interim one: each of those starts undici's own again. An upload that is under way
 * is waited for.
 *
 * @param late called with the fault, once
 * @returns what stops it
 */
export function limitAnswer(request: Pick<IncomingMessage, 'complete'>, timeoutMs: number, late: (fault: Error) => void): () => void {
  let timer: NodeJS.Timeout;
  const start = (): void => {
    timer = setTimeout(() => {
      if (request.complete) late(new errors.HeadersTimeoutError('no final answer in time'));
      else start();
    }, timeoutMs);
  };
  start();
  return () => clearTimeout(timer);
}
