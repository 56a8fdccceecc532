import type { Decision } from '@sluice/limiter';
import { retryAfterSeconds } from '../retry-after-seconds.js';
import { toError } from '../skin/to-error.js';
import type { LimitMessagesOptions } from './limit-messages.js';
import { CLOSE, type MessageSocket } from './message-socket.js';

/** setTimeout takes no more, and fires at once instead (known failure 43). */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

interface Message<Data> {
  readonly data: Data;
  readonly isBinary: boolean;
}

/** Decides the messages of one socket in their order. */
export class MessageGate<Data> {
  /** What came while a message is under way. */
  private queue: Message<Data>[] = [];
  private state: 'open' | 'waiting' | 'shut' = 'open';
  /** Holds a message back. */
  private timer: NodeJS.Timeout | undefined;
  private readonly maxQueued: number;

  constructor(
    private readonly socket: MessageSocket<Data>,
    private readonly options: LimitMessagesOptions<Data>,
  ) {
    this.maxQueued = options.maxQueued ?? 10_000;
  }

  take(data: Data, isBinary: boolean): void {
    if (this.state === 'shut') return;
    if (this.state === 'open') this.guarded(() => this.decide({ data, isBinary }));
    else if (this.queue.length < this.maxQueued) this.queue.push({ data, isBinary });
    else this.shut(CLOSE.policyViolation, 'too many messages at once');
  }

  /** The connection is gone: what waits is delivered no more, for nobody could be answered. */
  leave(): void {
    this.state = 'shut';
    this.queue = [];
    clearTimeout(this.timer);
  }

  private decide(message: Message<Data>): void {
    const { limiter, attributes, cost = 1 } = this.options;
    const { data, isBinary } = message;
    const known = typeof attributes === 'function' ? attributes(data, isBinary) : attributes;
    const decision = limiter.check(known, typeof cost === 'number' ? cost : cost(data, isBinary));
    if (!(decision instanceof Promise)) return this.act(decision, message);
    this.wait();
    decision.then(
      (late) => this.goOn(() => this.act(late, message)),
      (error: unknown) => this.fail(error),
    );
  }

  private act(decision: Decision, message: Message<Data>): void {
    this.options.observe?.(decision);
    if (!decision.allowed) this.refuse(decision, message);
    else if (decision.delayMs > 0) this.holdBack(decision.delayMs, message);
    else this.options.onMessage(message.data, message.isBinary);
  }

  private holdBack(delayMs: number, { data, isBinary }: Message<Data>): void {
    this.wait();
    this.timer = setTimeout(() => this.goOn(() => this.options.onMessage(data, isBinary)), Math.min(delayMs, MAX_TIMEOUT_MS));
  }

  private refuse(decision: Decision, { data, isBinary }: Message<Data>): void {
    const { onDenied = 'close' } = this.options;
    if (typeof onDenied === 'function') onDenied(decision, data, isBinary);
    else if (onDenied === 'close') {
      const seconds = retryAfterSeconds(decision);
      const wait = seconds === undefined ? '' : `; retry after ${seconds} s`;
      if (decision.reason === 'store_unavailable') this.shut(CLOSE.tryAgainLater, `rate limit cannot be checked${wait}`);
      else this.shut(CLOSE.policyViolation, `${decision.reason === 'cost_exceeds_limit' ? 'message costs more than its limit' : 'rate limit'}${wait}`);
    }
  }

  private wait(): void {
    this.state = 'waiting';
    this.socket.pause();
  }

  /** Ends a wait, then takes what came meanwhile, until a message has to wait again. */
  private goOn(step: () => void): void {
    if (this.state === 'shut') return;
    this.state = 'open';
    this.guarded(step);
    while (this.isOpen()) {
      const waiting = this.queue;
      if (waiting.length === 0) return this.socket.resume();
      this.queue = [];
      for (const [at, message] of waiting.entries()) {
        this.guarded(() => this.decide(message));
        if (this.isOpen()) continue;
        this.queue = [...waiting.slice(at + 1), ...this.queue];
        break;
      }
    }
  }

  /** A method, since what is called in between changes it. */
  private isOpen(): boolean {
    return this.state === 'open';
  }

  private guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.shut(CLOSE.internalError, 'internal error');
    this.socket.emit('error', toError(error));
  }

  private shut(code: number, reason: string): void {
    this.state = 'shut';
    this.queue = [];
    // Read on, or the answer to the close frame would never be seen.
    this.socket.resume();
    this.socket.close(code, reason);
  }
}
