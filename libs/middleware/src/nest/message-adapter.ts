import type { ExecutionContext } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { endpointOf } from '../endpoint-of.js';
import type { RawRequest, RawResponse, SkinAdapter } from '../skin/skin-adapter.js';
import { messageRefusal } from './message-refusal.js';

/** What `@MessagePattern` leaves on a handler. */
const RPC_PATTERN = 'microservices:pattern';
const NO_HEADERS: IncomingHttpHeaders = Object.freeze({});

/** All guards of a message are given the same context, so that it is what a message is remembered by. */
const messages = new WeakMap<ExecutionContext, RawRequest>();

/** Nobody writes fields into it. */
const NO_RESPONSE: RawResponse = Object.freeze({ statusCode: 0, headersSent: true, on: () => undefined, removeListener: () => undefined });

/**
 * How messages of WebSocket gateways, microservices and whatever else Nest carries are read. `endpoint` is `WS /pattern` and `RPC /pattern`, and where there is no
 * pattern in words `RPC /Controller.handler`. `ip` is the peer of the connection for ws and socket.io, else `unknown`. There is no answer to write fields into.
 */
export const messageAdapter: SkinAdapter<ExecutionContext, ExecutionContext> = {
  raw(context) {
    const known = messages.get(context);
    if (known !== undefined) return known;
    const message = { headers: NO_HEADERS, socket: socketOf(context) };
    messages.set(context, message);
    return message;
  },
  response: () => NO_RESPONSE,
  endpoint(context) {
    const type = context.getType().toUpperCase();
    return endpointOf(/^[A-Z]{1,16}$/.test(type) ? type : 'MESSAGE', `/${patternOf(context) ?? `${context.getClass().name}.${context.getHandler().name}`}`);
  },
  setHeaders: () => undefined,
  refuse(context, _same, decision, next) {
    messageRefusal(context.getType(), decision).then(next, next);
  },
  trustsEverybody: () => false,
};

function patternOf(context: ExecutionContext): string | undefined {
  const pattern: unknown = context.getType() === 'ws' ? context.switchToWs().getPattern() : [Reflect.getMetadata(RPC_PATTERN, context.getHandler())].flat()[0];
  return typeof pattern === 'string' && pattern !== '' ? pattern : undefined;
}

/** ws keeps the socket as `_socket`, socket.io as `conn`; the object has to be the connection's own, for what is kept on it. */
function socketOf(context: ExecutionContext): RawRequest['socket'] {
  const client: unknown = context.getType() === 'ws' ? context.getArgByIndex(0) : undefined;
  if (typeof client !== 'object' || client === null) return {};
  return [memberOf(client, '_socket'), memberOf(client, 'conn')].find(hasAddress) ?? {};
}

function memberOf(object: object, name: string): unknown {
  return name in object ? (object as Readonly<Record<string, unknown>>)[name] : undefined;
}

function hasAddress(socket: unknown): socket is RawRequest['socket'] {
  return typeof socket === 'object' && socket !== null && 'remoteAddress' in socket && typeof socket.remoteAddress === 'string';
}
