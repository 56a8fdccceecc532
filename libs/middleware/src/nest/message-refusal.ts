import type { Decision } from '@sluice/limiter';
import { RateLimitException } from './rate-limit.exception.js';

/** Which exception a kind of message is refused by, and whose it is. Its package is there where such messages are. */
const EXCEPTIONS: Readonly<Record<string, readonly [packageName: string, exportName: string]>> = {
  ws: ['@nestjs/websockets', 'WsException'],
  rpc: ['@nestjs/microservices', 'RpcException'],
};

/**
 * The exception that Nest's filter for this kind of message sends on to the client: `WsException` and `RpcException` with the problem document, else
 * {@link RateLimitException}. Loaded when the first message is refused, so that nobody needs the packages of what he does not use.
 */
export async function messageRefusal(type: string, decision: Decision): Promise<Error> {
  const exception = new RateLimitException(decision);
  const named = EXCEPTIONS[type];
  if (named === undefined) return exception;
  const [packageName, exportName] = named;
  const loaded: Readonly<Record<string, unknown>> = await import(packageName);
  const Exception = loaded[exportName];
  const refusal: unknown = typeof Exception === 'function' ? Reflect.construct(Exception, [exception.getResponse()]) : exception;
  return refusal instanceof Error ? refusal : exception;
}
