import type { Decision, Limiter } from '@sluice/limiter';
import type { HeaderChoice } from '@sluice/middleware';
import type { RequestAttributes } from '@sluice/rules';
import type { RateLimitRequest, RateLimitResponse } from '../messages.js';
import { GRPC_STATUS, type GrpcFault } from '../transport/grpc-fault.js';
import { type AskedPart, askedParts } from './asked-part.js';
import { descriptorAttributes, MAX_KEY_LENGTH } from './descriptor-attributes.js';
import { hitsOf } from './hits-of.js';
import { answerOfAll, answerOfOne, isOver } from './rate-limit-answer.js';

/** What the service decides by. */
export interface RateLimitServiceOptions {
  readonly limiter: Pick<Limiter, 'check' | 'checkTogether' | 'giveBack' | 'refund'>;
  /**
   * Sees the decision of each descriptor that charges, the seconds that the request took, and the descriptor's attributes; for metrics and for a stream of what
   * was decided. Without attributes where the descriptor's own limits allow and another one refuses: then it was neither let pass nor refused.
   */
  readonly observe?: ((decision: Decision, seconds: number, attributes: RequestAttributes | undefined) => void) | undefined;
  /** Whether there are rules to decide by; without them every request would pass, silently. Default: there are. */
  readonly hasRules?: (() => boolean) | undefined;
  /**
   * Which of our fields Envoy adds to responses; default `both`. Where Envoy writes `x-ratelimit-*` itself (`enable_x_ratelimit_headers`), `ietf`: it
   * appends, and its reset is in seconds from now while ours is a point in time.
   */
  readonly headers?: HeaderChoice | undefined;
  /** Monotonic, ms, for `observe`. */
  readonly nowMs?: (() => number) | undefined;
}

export type RateLimitAnswer = RateLimitResponse | GrpcFault;

/** `ShouldRateLimit` (R73). A promise only where the engine's decision is one; a fault is a value. Rejects or throws for bugs alone. */
export type RateLimitService = (request: RateLimitRequest) => RateLimitAnswer | Promise<RateLimitAnswer>;

/**
 * What `ShouldRateLimit` means on our rules (docs/adr/0027-envoy-semantics.md). Each descriptor is a part of the request by its attributes; the parts are charged all or
 * none, and nothing is charged for a request that is refused.
 */
export function createRateLimitService(options: RateLimitServiceOptions): RateLimitService {
  const { limiter, observe, hasRules, headers = 'both', nowMs = monotonicMs } = options;

  /** One descriptor that charges by the rules: no list and no closure more than the answer needs. */
  function decideOne(request: RateLimitRequest, cost: number): RateLimitAnswer | Promise<RateLimitAnswer> {
    const [descriptor] = request.descriptors;
    if (descriptor === undefined) return invalid('rate limit descriptor list must not be empty');
    const attributes = descriptorAttributes(request.domain, descriptor, 0);
    if (typeof attributes === 'string') return invalid(attributes);
    const startedMs = nowMs();
    const decision = limiter.check(attributes, cost);
    if (decision instanceof Promise) return answerLater(decision, startedMs, attributes);
    observe?.(decision, (nowMs() - startedMs) / 1000, attributes);
    return answerOfOne(decision, headers);
  }

  async function answerLater(pending: Promise<Decision>, startedMs: number, attributes: RequestAttributes): Promise<RateLimitAnswer> {
    const decision = await pending;
    observe?.(decision, (nowMs() - startedMs) / 1000, attributes);
    return answerOfOne(decision, headers);
  }

  function decideTogether(parts: readonly AskedPart[], startedMs: number): RateLimitAnswer | Promise<RateLimitAnswer> {
    const put = (decisions: readonly Decision[]): RateLimitAnswer | Promise<RateLimitAnswer> => {
      const seconds = (nowMs() - startedMs) / 1000;
      const isRefused = decisions.some((decision, at) => isOver(decision, parts[at]));
      decisions.forEach((decision, at) => {
        const part = parts[at];
        if (part !== undefined && part.cost !== 0) observe?.(decision, seconds, isRefused && decision.allowed ? undefined : part.attributes);
      });
      const isReturned = isRefused && isChargedInVain(decisions, parts);
      const answer = answerOfAll(decisions, parts, isReturned, headers);
      return isReturned ? giveBackAll(decisions).then(() => answer) : answer;
    };
    const decided = limiter.checkTogether(parts);
    return decided instanceof Promise ? decided.then(put) : put(decided);
  }

  async function giveBackAll(decisions: readonly Decision[]): Promise<void> {
    await Promise.all(decisions.map((decision) => limiter.refund(decision)));
  }

  /** What is given back counts for this very request. */
  async function giveBackThenDecide(parts: readonly AskedPart[], startedMs: number): Promise<RateLimitAnswer> {
    for (const { attributes, given, givesBack } of parts) if (givesBack > 0) await limiter.giveBack(attributes, givesBack, given);
    return decideTogether(parts, startedMs);
  }

  return (request) => {
    const { domain, descriptors, hitsAddend } = request;
    if (domain === '') return invalid('rate limit domain must not be empty');
    const [first] = descriptors;
    if (first === undefined) return invalid('rate limit descriptor list must not be empty');
    if (hasRules !== undefined && !hasRules()) return { code: GRPC_STATUS.unavailable, message: 'no rate limit configuration loaded' };
    if (domain.length > MAX_KEY_LENGTH) return invalid(`domain must be a string of 1 to ${MAX_KEY_LENGTH} characters`);
    if (descriptors.length === 1 && first.limit === undefined && !first.isNegativeHits) {
      const cost = hitsOf(first, hitsAddend);
      if (cost > 0) return decideOne(request, cost);
    }
    const parts = askedParts(request);
    if (typeof parts === 'string') return invalid(parts);
    const startedMs = nowMs();
    return parts.some(({ givesBack }) => givesBack > 0) ? giveBackThenDecide(parts, startedMs) : decideTogether(parts, startedMs);
  };
}

/** Of a request that is refused: a peek refuses it and no charge does, so that the engine charged the others. */
function isChargedInVain(decisions: readonly Decision[], parts: readonly AskedPart[]): boolean {
  return decisions.every(({ allowed }, at) => allowed || parts[at]?.cost === 0) && parts.some(({ cost }) => cost > 0);
}

function invalid(message: string): GrpcFault {
  return { code: GRPC_STATUS.invalidArgument, message };
}

function monotonicMs(): number {
  return performance.now();
}
