import type { Decision } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';
import type { AskedDecider } from '../decider.js';
import { requireDecider } from '../options/require-decider.js';
import { type NamesOf, requireKnown } from '../options/require-known.js';
import { MessageGate } from './message-gate.js';
import type { MessageSocket } from './message-socket.js';

export interface LimitMessagesOptions<Data> {
  readonly limiter: AskedDecider;
  /** What is known of the sender; of the handshake, never of what a message claims. */
  readonly attributes: RequestAttributes | ((data: Data, isBinary: boolean) => RequestAttributes);
  /** Permits of a message; a function may count its bytes. Default 1. */
  readonly cost?: number | ((data: Data, isBinary: boolean) => number) | undefined;
  /** Gets the messages that pass, in the order in which they came. Takes the place of a listener of `message`. */
  readonly onMessage: (data: Data, isBinary: boolean) => void;
  /**
   * What becomes of a message that is refused. `close` (default): the connection ends with 1008, or 1013 while the store is away, and a reason that names the wait.
   * `drop`: it is not delivered. A function: not delivered, and told; it may send an error frame (`denialProblem`) or close.
   */
  readonly onDenied?: 'close' | 'drop' | ((decision: Decision, data: Data, isBinary: boolean) => void) | undefined;
  /** Sees each decision; for metrics. */
  readonly observe?: ((decision: Decision) => void) | undefined;
  /** Most messages that wait while a decision is under way; one more closes the connection with 1008. A socket that can be paused has read some 64 KiB ahead at most. Default 10,000. */
  readonly maxQueued?: number | undefined;
}

const OPTIONS: NamesOf<LimitMessagesOptions<never>> = { limiter: true, attributes: true, cost: true, onMessage: true, onDenied: true, observe: true, maxQueued: true };

/**
 * Limits the messages of a WebSocket that is open. They are decided one after the other and never overtake each other: while one waits for the store, or is
 * held back by a shaper, the socket is paused. Pings and pongs are not counted: clients keep connections open by them, and `ws` answers them before anybody is asked. Whoever wants to
 * bound them counts them by an own check, `ws.on('ping', …)`. A bug (what a function here throws, or a cost that is none) closes with 1011 and is the socket's `error`.
 *
 * @throws TypeError for an option that is none, and for a limiter that is none
 */
export function limitMessages<Data>(socket: MessageSocket<Data>, options: LimitMessagesOptions<Data>): void {
  requireKnown('limitMessages', options, OPTIONS);
  requireDecider(options.limiter);
  const gate = new MessageGate(socket, options);
  socket.on('message', (data, isBinary) => gate.take(data, isBinary));
  socket.on('close', () => gate.leave());
}
