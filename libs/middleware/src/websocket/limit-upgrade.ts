import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { denialProblem, PROBLEM_CONTENT_TYPE } from '../denial-problem.js';
import { endpointOf } from '../endpoint-of.js';
import type { RateLimitOptions } from '../skin-options.js';
import { type NamesOf, requireKnown } from '../options/require-known.js';
import { SKIN_OPTION_NAMES } from '../options/skin-option-names.js';
import { createSkin } from '../skin/create-skin.js';
import { originForm } from '../skin/origin-form.js';
import type { SkinAdapter } from '../skin/skin-adapter.js';
import { UpgradeAnswer } from './upgrade-answer.js';

export interface LimitUpgradeOptions extends Omit<RateLimitOptions<IncomingMessage>, 'refundWhen' | 'caseSensitiveRoutes'> {
  /** Hears of bugs (what a function here throws, or a cost that is none), which are answered with 500. Default: thrown, with nobody to catch it. */
  readonly onError?: ((error: Error) => void) | undefined;
}

const { refundWhen: _refundWhen, caseSensitiveRoutes: _caseSensitiveRoutes, ...HANDSHAKE_OPTIONS } = SKIN_OPTION_NAMES;
const OPTIONS: NamesOf<LimitUpgradeOptions> = { ...HANDSHAKE_OPTIONS, onError: true };

/** Lets a handshake go on by `proceed`, called at most once; else the refusal was written to the socket, which is closed. */
export type UpgradeLimit = (request: IncomingMessage, socket: Duplex, proceed: () => void) => void;

const adapter: SkinAdapter<IncomingMessage, UpgradeAnswer> = {
  raw: (request) => request,
  response: (answer) => answer,
  endpoint: ({ method = 'GET', url = '/' }) => endpointOf(method, originForm(url)),
  setHeaders: (answer, headers) => void Object.assign(answer.headers, headers),
  refuse(_request, answer, decision) {
    const problem = denialProblem(decision);
    answer.end(problem.status, PROBLEM_CONTENT_TYPE, JSON.stringify(problem));
  },
  trustsEverybody: () => false,
};

/**
 * Limits handshakes of WebSockets, in the `upgrade` event of a server, where no framework is: a refusal is a whole HTTP answer, 429 with the fields of R70.
 *
 * ```ts
 * const limit = limitUpgrade({ limiter });
 * server.on('upgrade', (request, socket, head) => limit(request, socket, () => wss.handleUpgrade(request, socket, head, onOpen)));
 * ```
 * @throws TypeError for an option that is none; RangeError for options that no request could be served with
 */
export function limitUpgrade(options: LimitUpgradeOptions): UpgradeLimit {
  requireKnown('limitUpgrade', options, OPTIONS);
  const { onError = throwLater } = options;
  const skin = createSkin(options, adapter);
  return (request, socket, proceed) => {
    const answer = new UpgradeAnswer(socket);
    // The server has taken its own listener off the socket, and a client that hangs up meanwhile must not end the process.
    socket.on('error', destroy);
    skin.handle(request, answer, (error) => {
      socket.removeListener('error', destroy);
      if (error === undefined) return socket.destroyed ? undefined : proceed();
      answer.end(500, 'text/plain', STATUS_CODES[500] ?? '');
      onError(error);
    });
  };
}

function destroy(this: Duplex): void {
  this.destroy();
}

function throwLater(error: Error): void {
  queueMicrotask(() => {
    throw error;
  });
}
