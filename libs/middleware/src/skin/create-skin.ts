import type { Decision } from '@sluice/limiter';
import type { AskedDecider, CheckOptions } from '../decider.js';
import { isCounted, rememberDecision, ruleChargedTwice } from '../decision-of.js';
import { requireDecider } from '../options/require-decider.js';
import type { RateLimitOptions, SkinOptions } from '../skin-options.js';
import { chosenHeaders, HEADER_CHOICES, type HeaderChoice } from './chosen-headers.js';
import { holdBack } from './hold-back.js';
import { hungUp } from './hung-up.js';
import { Freshness } from './freshness.js';
import { refundOnFinish } from './refund-on-finish.js';
import { isPreflight } from './is-preflight.js';
import { isGone } from './peer-address.js';
import { type AttributesOf, requestAttributes } from './request-attributes.js';
import type { Next, RawRequest, SkinAdapter } from './skin-adapter.js';
import { toError } from './to-error.js';
import { Warnings } from './warnings.js';

const RULE_NAME = /^[a-zA-Z0-9_.:/-]{1,64}$/;
/** What became of a request: the client is gone, and it is neither counted nor served; `undefined`: served without being counted here. */
export type Outcome = Decision | 'gone' | undefined;

const REFUNDABLE: CheckOptions = Object.freeze({ refundable: true });

/** What every skin does with a request. Makes no promise and no closure where the decision is at hand. */
export class Skin<R, A> {
  private readonly limiter: AskedDecider;
  private readonly name: string | undefined;
  private readonly headers: HeaderChoice;
  private readonly cost: number | ((request: R) => number);
  private readonly checkOptions: CheckOptions | undefined;
  /** Whether a request was seen, and with it how the framework is set up. */
  private looked = false;
  private readonly freshness: Freshness;

  constructor(
    private readonly options: SkinOptions<R>,
    private readonly adapter: SkinAdapter<R, A>,
    private readonly attributesOf: AttributesOf<R>,
    readonly warnings: Warnings,
  ) {
    requireDecider(options.limiter);
    const { limiter, rule, name = rule, headers = 'both', cost = 1, refundWhen } = options;
    if (rule !== undefined && !RULE_NAME.test(rule)) throw new RangeError(`rule must be 1 to 64 letters, digits or _ . : / -, not ${JSON.stringify(rule)}`);
    if (!HEADER_CHOICES.includes(headers)) throw new RangeError(`headers must be one of ${HEADER_CHOICES.join(', ')}, not ${JSON.stringify(headers)}`);
    if (typeof cost === 'number' && !(Number.isSafeInteger(cost) && cost >= 0)) throw new RangeError(`cost must be an integer of at least 0, not ${cost}`);
    if (refundWhen !== undefined && limiter.refund === undefined) throw new RangeError('refundWhen needs a limiter that can give back');
    this.limiter = limiter;
    this.name = name;
    this.headers = headers;
    this.cost = cost;
    this.checkOptions = refundWhen === undefined ? undefined : REFUNDABLE;
    this.freshness = new Freshness(warnings);
  }

  /**
   * Decides, writes the fields and sees to what follows the answer. What is done with a refusal and with a delay is the caller's:
   * {@link handle} does it. `undefined` for a request that is not counted here: skipped, or counted by this limit before.
   *
   * @throws what the options' functions throw, and a RangeError of the limiter for a cost that is none (R45)
   */
  decide(request: R, answer: A): Outcome | Promise<Outcome> {
    const { adapter, cost } = this;
    const { skip, observe } = this.options;
    const raw = adapter.raw(request);
    if (!this.looked) this.look(request);
    if (skip === undefined ? isPreflight(raw) : skip(request)) return undefined;
    if (isCounted(raw, this.limiter, this.name)) return undefined;
    if (isGone(raw.socket)) return 'gone';
    const startedMs = observe === undefined ? 0 : performance.now();
    const permits = typeof cost === 'number' ? cost : cost(request);
    const decision = this.limiter.check(this.attributesOf(request, raw), permits, this.checkOptions);
    return decision instanceof Promise ? decision.then((late) => this.take(late, request, answer, raw, startedMs)) : this.take(decision, request, answer, raw, startedMs);
  }

  /** Lets the request go on by `next`, at once or after its delay, or answers its refusal. A bug goes to `next` as an error. */
  handle(request: R, answer: A, next: Next): void {
    let decision: Outcome | Promise<Outcome>;
    try {
      decision = this.decide(request, answer);
    } catch (error) {
      next(toError(error));
      return;
    }
    if (decision instanceof Promise) {
      decision.then(
        (late) => this.act(late, request, answer, next),
        (error: unknown) => next(toError(error)),
      );
    } else this.act(decision, request, answer, next);
  }

  private look(request: R): void {
    this.looked = true;
    this.freshness.used();
    if (this.adapter.trustsEverybody(request)) this.warnings.tell('SLUICE_TRUST_PROXY_TRUE');
  }

  private take(decision: Decision, request: R, answer: A, raw: RawRequest, startedMs: number): Decision {
    const { observe, refundWhen } = this.options;
    const all = rememberDecision(raw, this.limiter, this.name, decision);
    observe?.(decision, (performance.now() - startedMs) / 1000, request);
    const response = this.adapter.response(answer);
    if (!response.headersSent) this.adapter.setHeaders(answer, chosenHeaders(all, this.headers));
    if (all !== decision) this.warnOfSharedRules(raw);
    if (refundWhen !== undefined && decision.allowed) refundOnFinish(response, this.limiter, decision, (status) => refundWhen(status, request), this.warnings);
    return decision;
  }

  private act(decision: Outcome, request: R, answer: A, next: Next): void {
    if (decision === undefined) return next();
    if (decision === 'gone') return;
    const response = this.adapter.response(answer);
    // Somebody answered while the decision was under way, such as a timeout, or the client hung up: nothing is left to do.
    if (response.headersSent || hungUp(this.adapter.raw(request), response)) return;
    if (!decision.allowed) this.refuse(decision, request, answer, next);
    else if (decision.delayMs > 0) holdBack(response, decision.delayMs, next);
    else next();
  }

  private refuse(decision: Decision, request: R, answer: A, next: Next): void {
    try {
      this.adapter.refuse(request, answer, decision, next);
    } catch (error) {
      next(toError(error));
    }
  }

  private warnOfSharedRules(raw: RawRequest): void {
    if (this.warnings.has('SLUICE_RULE_CHARGED_TWICE')) return;
    const ruleId = ruleChargedTwice(raw, this.limiter);
    if (ruleId !== undefined) this.warnings.tell('SLUICE_RULE_CHARGED_TWICE', `rule ${ruleId}`);
  }
}

/**
 * Makes a skin, once, when the server is set up.
 *
 * @throws RangeError for options that no request could be served with; TypeError for a limiter that is none
 */
export function createSkin<R, A>(options: RateLimitOptions<R>, adapter: SkinAdapter<R, A>): Skin<R, A> {
  const warnings = new Warnings(options.onWarning);
  return new Skin(options, adapter, requestAttributes(options, adapter, warnings), warnings);
}
