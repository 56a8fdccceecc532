import type { IncomingHttpHeaders } from 'node:http';
import type { Limiter } from '@sluice/limiter';
import { retryAfterSeconds } from '@sluice/middleware';
import { REQUEST_ID_HEADER } from '@sluice/platform';
import type { ObserveDecision } from '@sluice/rules-node';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attributesOf } from '../limit/passes.js';
import { ClientGone } from '../proxy/client-gone.js';
import { onceGone, type Upgrade, upgradeOf } from './route-upgrades.js';
import { HandshakeFault, shakeHands } from './shake-hands.js';
import type { Tunnels } from './tunnels.js';

export interface OpenWebSocketOptions {
  readonly upstreamUrl: string;
  readonly upstreamTimeoutMs: number;
  /** A tunnel, or the body of an answer, of which nothing moves for so long is cut. */
  readonly stallTimeoutMs: number;
  /** Attribute `rule` of each frame; absent: frames are not limited. */
  readonly messageRule: string | undefined;
  readonly limiter: Pick<Limiter, 'check'>;
  readonly observe: ObserveDecision;
  readonly tunnels: Tunnels;
  /** Fields of the request to the upstream. */
  readonly headersOf: (request: FastifyRequest) => IncomingHttpHeaders;
  /** Fields of the upstream's answer that the client gets. */
  readonly answerHeadersOf: (request: FastifyRequest, answer: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** Path and query at the upstream. */
  readonly pathOf: (target: string) => string;
  /** The upstream did not answer. */
  readonly failed: (request: FastifyRequest, reply: FastifyReply, fault: Error, reached: boolean) => void;
}

/** The last `onRequest` hook: a handshake that may pass goes to the upstream here, and becomes a tunnel when the upstream agrees. */
export function openWebSocket(options: OpenWebSocketOptions) {
  const { upstreamUrl, upstreamTimeoutMs, stallTimeoutMs, headersOf, answerHeadersOf, pathOf, failed } = options;

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const upgrade = upgradeOf(request.raw);
    if (upgrade === undefined) return done();
    const gone = new AbortController();
    const stay = onceGone(upgrade.socket, () => gone.abort());
    shakeHands({ upstreamUrl, path: pathOf(request.url), headers: headersOf(request), timeoutMs: upstreamTimeoutMs, stallTimeoutMs, signal: gone.signal })
      .then((answer) => {
        if (answer.kind === 'accepted') {
          stay();
          return join(options, request, reply, upgrade, answer);
        }
        // Whoever goes now takes the rest of the answer along: the signal holds for it, too.
        const { response } = answer;
        reply.code(response.statusCode ?? 502).headers(answerHeadersOf(request, response.headers));
        reply.send(response);
        return undefined;
      })
      .catch((error: unknown) => {
        const fault = error instanceof HandshakeFault ? error : new HandshakeFault(String(error), true);
        failed(request, reply, gone.signal.aborted ? new ClientGone() : fault, fault.reached);
      });
  };
}

type Accepted = Extract<Awaited<ReturnType<typeof shakeHands>>, { kind: 'accepted' }>;

function join({ limiter, observe, messageRule, tunnels, stallTimeoutMs, answerHeadersOf }: OpenWebSocketOptions, request: FastifyRequest, reply: FastifyReply, { socket, head }: Upgrade, answer: Accepted): void {
  reply.hijack();
  reply.raw.detachSocket(socket);
  const fields = {
    ...answerHeadersOf(request, answer.headers),
    [REQUEST_ID_HEADER]: request.id,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
  };
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fieldLines(fields)}\r\n`, 'latin1');
  // What came early goes first.
  if (head.length > 0) socket.unshift(head);
  if (answer.head.length > 0) answer.socket.unshift(answer.head);
  const attributes = messageRule === undefined ? undefined : { ...attributesOf(request), rule: messageRule };
  const refuses =
    attributes &&
    (() => {
      const startedMs = performance.now();
      const verdict = (decision: Awaited<ReturnType<Limiter['check']>>): string | undefined => {
        observe(decision, (performance.now() - startedMs) / 1000, attributes);
        return decision.allowed ? undefined : `too many frames; retry after ${retryAfterSeconds(decision) ?? 1} s`;
      };
      const decision = limiter.check(attributes);
      return decision instanceof Promise ? decision.then(verdict) : verdict(decision);
    });
  tunnels.join({ client: socket, upstream: answer.socket, idleMs: stallTimeoutMs, refuses });
}

function fieldLines(fields: IncomingHttpHeaders): string {
  let lines = '';
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) lines += `${name}: ${one}\r\n`;
  }
  return lines;
}
