import type { Decision, Reservation, ReserveOptions, Settlement } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';
import type { CheckOptions, Decider } from '../decider.js';
import { type AnsweredCheck, answeredDecision } from './answered-decision.js';
import { checkBody, type CheckKind } from './check-body.js';
import { Exchange } from './exchange.js';
import { RemoteBreaker } from './remote-breaker.js';
import type { RemoteDeciderOptions, RemoteStats } from './remote-options.js';
import { refusedQuestion, settlementOf } from './remote-answers.js';
import { ServiceFault } from './service-fault.js';
import { unreachedDecision } from './unreached-decision.js';

const CHECK = '/v1/ratelimit:check';
const SETTLE = '/v1/ratelimit:settle';
const REFUND = '/v1/ratelimit:refund';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const UNAVAILABLE: Settlement = { status: 'unavailable', charged: 0, returned: 0, indebted: 0 };

/**
 * Decides by asking the decision service over HTTP, on connections that are kept. Never rejects for a service that is away, slow or wrong: the decision is
 * then what `onFailure` says, by the source `fallback` (R41). Rejects with a RangeError for a cost that is no integer of at least 0, and for what the service
 * calls malformed: bugs of the caller (R45). A question that was given up may have been charged all the same.
 */
export class RemoteDecider implements Decider {
  private readonly exchange: Exchange;
  private readonly breaker: RemoteBreaker;
  private readonly timeoutMs: number;
  private readonly maxUnderWay: number;
  private readonly domain: string;
  private readonly onFault: (reason: string) => void;
  private answered = false;
  /** Reservations of refundable decisions; undefined where nothing was charged. */
  private readonly refundable = new WeakMap<Decision, string | undefined>();
  private closed = false;
  private counts = { asked: 0, failed: 0, fallback: 0 };

  /** @throws RangeError for an option that is none */
  constructor(private readonly options: RemoteDeciderOptions) {
    const { url, token, timeoutMs = 50, maxUnderWay = 256, failuresToOpen = 5, probeMs = 500, domain = 'default', onFailure } = options;
    for (const [name, value] of Object.entries({ timeoutMs, maxUnderWay, failuresToOpen, probeMs })) {
      if (!Number.isSafeInteger(value) || value < 1 || value > 2 ** 31 - 1) throw new RangeError(`${name} must be an integer of at least 1, not ${value}`);
    }
    if (onFailure !== 'allow' && onFailure !== 'deny') throw new RangeError(`onFailure must be allow or deny, not ${JSON.stringify(onFailure)}`);
    if (domain === '') throw new RangeError('domain must not be empty');
    this.exchange = new Exchange(url, token, maxUnderWay, timeoutMs);
    this.breaker = new RemoteBreaker(failuresToOpen, probeMs);
    this.timeoutMs = timeoutMs;
    this.maxUnderWay = maxUnderWay;
    this.onFault = options.onFault ?? warnOnce(onFailure);
    this.domain = domain;
  }

  async check(attributes: RequestAttributes, cost = 1, { refundable = false }: CheckOptions = {}): Promise<Decision> {
    requireInteger('cost', cost, 0);
    // What costs nothing cannot be given back.
    const reserve = refundable && cost > 0;
    const answer = await this.askCheck(attributes, reserve ? { cost, reserve: true } : { cost });
    if (answer === undefined) return this.unreached(cost);
    if (refundable) this.refundable.set(answer.decision, answer.id);
    return answer.decision;
  }

  async peek(attributes: RequestAttributes, cost = 1): Promise<Decision> {
    requireInteger('cost', cost, 0);
    return (await this.askCheck(attributes, { cost, peek: true }))?.decision ?? this.unreached(cost);
  }

  async reserve(attributes: RequestAttributes, estimate: number, { ttlMs }: ReserveOptions = {}): Promise<Reservation> {
    requireInteger('estimate', estimate, 1);
    if (ttlMs !== undefined) requireInteger('ttlMs', ttlMs, 1);
    const answer = await this.askCheck(attributes, { cost: estimate, reserve: true, ...(ttlMs !== undefined && { reserve_seconds: ttlMs / 1000 }) });
    if (answer === undefined) return { decision: this.unreached(estimate), id: undefined, expiresAtMs: undefined };
    const { decision, id, expiresAtMs } = answer;
    return id === undefined || expiresAtMs === undefined ? { decision, id: undefined, expiresAtMs: undefined } : { decision, id, expiresAtMs };
  }

  async settle(id: string, actual: number): Promise<Settlement> {
    requireInteger('actual', actual, 0);
    const answer = await this.ask(SETTLE, JSON.stringify({ decision_id: id, cost: actual }));
    return answer === undefined ? UNAVAILABLE : this.settled(answer);
  }

  /** Rejects with a RangeError for a decision that was not checked with `refundable`: the service knows nothing to give back. */
  async refund(decision: Decision): Promise<number> {
    const { source } = decision.deciding ?? {};
    if (!this.refundable.has(decision)) {
      if (!decision.allowed || source === 'fallback') return 0;
      throw new RangeError('only what was checked with { refundable: true } can be given back');
    }
    const id = this.refundable.get(decision);
    this.refundable.set(decision, undefined);
    if (id === undefined) return 0;
    const answer = await this.ask(REFUND, JSON.stringify({ decision_id: id }));
    return answer === undefined ? 0 : this.settled(answer).returned;
  }

  stats(): RemoteStats {
    return { ...this.counts, open: this.breaker.open, answered: this.answered };
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.exchange.close();
  }

  private async askCheck(attributes: RequestAttributes, kind: CheckKind): Promise<AnsweredCheck | undefined> {
    if (this.breaker.open && !this.closed) this.probe(attributes);
    const answer = await this.ask(CHECK, checkBody(attributes, this.domain, kind));
    return answer === undefined ? undefined : this.understood(answer);
  }

  private understood({ status, body }: Answer): AnsweredCheck | undefined {
    const answer = status === 200 ? answeredDecision(body, Date.now()) : undefined;
    if (answer === undefined) return this.fail(`an answer that decides nothing (status ${status})`);
    this.succeed();
    return answer;
  }

  private succeed(): void {
    this.answered = true;
    this.breaker.succeeded();
  }

  private settled(answer: Answer): Settlement {
    const settlement = settlementOf(answer);
    if (settlement === undefined) return this.fail(`an answer that settles nothing (status ${answer.status})`) ?? UNAVAILABLE;
    this.succeed();
    return settlement;
  }

  /** An answer of the service that is about the question; undefined when there is none. */
  private async ask(path: string, text: string, isProbe = false): Promise<Answer | undefined> {
    if (this.closed || (this.breaker.open && !isProbe)) return undefined;
    if (this.exchange.held >= this.maxUnderWay && !isProbe) {
      this.counts.failed += 1;
      this.onFault(`${this.maxUnderWay} questions are under way`);
      return undefined;
    }
    this.counts.asked += 1;
    const answer = await this.exchange.post(path, text, this.timeoutMs);
    if (answer instanceof ServiceFault) return this.fail(answer.reason);
    const { status } = answer;
    if (status !== 200 && status !== 400 && status !== 404) return this.fail(`status ${status}`);
    const body = parsed(answer.text);
    if (status !== 400) return { status, body };
    const refused = refusedQuestion(answer, body);
    if (refused === undefined) return this.fail('status 400 that names no fault of the question');
    this.answered = true;
    throw refused;
  }

  private fail(reason: string): undefined {
    this.counts.failed += 1;
    this.breaker.failed();
    this.onFault(reason);
  }

  /** Nobody waits for it, and it charges nothing. */
  private probe(attributes: RequestAttributes): void {
    if (!this.breaker.takeProbe()) return;
    this.ask(CHECK, checkBody(attributes, this.domain, { cost: 1, peek: true }), true).then(
      (answer) => answer && this.understood(answer),
      // It says that the question is malformed, so it is there.
      () => this.succeed(),
    );
  }

  private unreached(cost: number): Decision {
    this.counts.fallback += 1;
    return unreachedDecision(this.options.onFailure === 'allow', cost, Date.now());
  }
}

function requireInteger(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${name} must be an integer of at least ${least}, got ${String(value)}`);
}

/** A service that decides nothing shall not go unnoticed where nobody listens. */
function warnOnce(onFailure: 'allow' | 'deny'): (reason: string) => void {
  let told = false;
  return (reason) => {
    if (told) return;
    told = true;
    const consequence = onFailure === 'allow' ? 'pass without a limit' : 'are refused with 503';
    process.emitWarning(`The decision service has not answered a question (${reason}); such requests ${consequence}. Give \`onFault\` to hear of each.`, { type: 'SluiceWarning', code: 'SLUICE_DECISION_SERVICE' });
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
