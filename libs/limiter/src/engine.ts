import { NEVER } from '@sluice/algorithms';
import { assertGivenLimit, GivenRules, type AppliedRule, type GivenLimit, type RequestAttributes, type RuleIndex } from '@sluice/rules';
import type { Refunds } from './approximate/refunds.js';
import { closedOutcomes } from './closed-outcomes.js';
import type { Decision, DecisionSource, PolicyOutcome } from './decision.js';
import { Decisions } from './decisions.js';
import { Evaluator, type EvaluatorParts } from './evaluator.js';
import type { Fleet } from './fleet/fleet.js';
import type { LimiterStats } from './limiter-stats.js';
import type { Limiter } from './limiter.js';
import { storeAway } from './outcomes.js';
import { NONE } from './request-decision.js';
import type { Reservation, ReserveOptions } from './settlement/reservation.js';
import type { RequestPart } from './together/request-part.js';
import type { ObserveShadow } from './shadow/observe-shadow.js';
import { Shadows } from './shadow/shadows.js';
import type { Settlement } from './settlement/settlement.js';
import { SettledOutcome } from './settled-outcome.js';
import { requireActual, requireReservable, type Settlements } from './settlement/settlements.js';
import type { Answer } from './store/counter-store.js';
import { combinedAnswer } from './split/combined-answer.js';
import { StoreFault } from './store/store-fault.js';
import type { GiveBackQueue } from './trip/give-back-queue.js';

export interface EngineParts extends Omit<EvaluatorParts, 'decisions'> {
  readonly refunds: Refunds;
  readonly returns: GiveBackQueue;
  readonly stats: LimiterStats;
  readonly fleet: Fleet;
  readonly settlements: Settlements;
  readonly rules: RuleIndex;
  /** Hears of rules in shadow (R58). */
  readonly onShadow?: ObserveShadow | undefined;
}

type Outcomes = readonly PolicyOutcome[];

/** The limiter of one node: rules, then leases, then the store. Makes no promise where the permits are at hand. */
export class Engine implements Limiter {
  private rules: RuleIndex;
  private readonly decisions: Decisions;
  private readonly evaluator: Evaluator;
  /** For groups of rules of which the decisions are put together to one. */
  private readonly uncounted: Evaluator;
  private readonly shadows: Shadows;
  private readonly givenRules = new GivenRules();
  private readonly refunded = new WeakSet<Decision>();
  private closing: Promise<void> | undefined;

  constructor(private readonly parts: EngineParts) {
    this.decisions = new Decisions(parts.stats, true);
    this.evaluator = new Evaluator({ ...parts, decisions: this.decisions });
    this.uncounted = new Evaluator({ ...parts, decisions: new Decisions(parts.stats, false) });
    this.shadows = new Shadows({
      observe: parts.onShadow,
      put: (decision, outcomes) => this.decisions.withShadow(decision, outcomes),
      tooLate: (outcome, decision) => {
        if (this.refunded.has(decision)) void this.refundOne(outcome);
      },
    });
    this.rules = parts.rules;
    parts.stats.snapshotVersion = parts.rules.version;
  }

  use(rules: RuleIndex): void {
    this.rules = rules;
    this.parts.stats.snapshotVersion = rules.version;
    this.parts.leases.prune();
  }

  check(attributes: RequestAttributes, cost = 1): Decision | Promise<Decision> {
    assertCost(cost);
    if (cost === 0) return this.peek(attributes, 0);
    const { rules } = this;
    const nowMs = this.parts.clock.nowMs();
    const applied = rules.match(attributes, nowMs + this.parts.stats.storeOffsetMs);
    if (hasShadow(applied)) return this.checkWithShadow(rules, applied, attributes, cost, nowMs);
    return this.evaluate(this.evaluator, rules, applied, attributes, cost, nowMs);
  }

  async checkTogether(parts: readonly RequestPart[]): Promise<readonly Decision[]> {
    for (const { cost, given } of parts) {
      assertCost(cost);
      if (given !== undefined) assertGivenLimit(given);
    }
    const decisions: Decision[] = [];
    for (const part of parts) decisions.push(await this.checkPart(part));
    if (decisions.some(({ allowed }, at) => !allowed && parts[at]?.cost !== 0)) for (const decision of decisions) await this.refund(decision);
    return decisions;
  }

  private checkPart({ attributes, cost, given }: RequestPart): Decision | Promise<Decision> {
    if (given === undefined) return this.check(attributes, cost);
    const { rules } = this;
    const nowMs = this.parts.clock.nowMs();
    const one = this.givenRules.of(rules.match(attributes, nowMs + this.parts.stats.storeOffsetMs), attributes, given);
    return this.evaluate(this.evaluator, rules, [one.applied], one.attributes, cost, nowMs);
  }

  async giveBack(attributes: RequestAttributes, amount: number, given?: GivenLimit): Promise<number> {
    assertCost(amount);
    if (given !== undefined) assertGivenLimit(given);
    const { clock, stats, leases, dispatcher, refunds } = this.parts;
    const matching = this.rules.match(attributes, clock.nowMs() + stats.storeOffsetMs);
    const found = given === undefined ? matching.map((applied) => ({ applied, attributes })) : [this.givenRules.of(matching, attributes, given)];
    let sum = 0;
    for (const { applied, attributes: counted } of found) {
      for (const { key, quota } of leases.find(applied, counted, clock.nowMs()).parts) {
        const [answer] = await dispatcher.read([{ key, quota, need: 0, want: 0, backAmount: 0, backBucket: 0 }]);
        if (answer === undefined || answer instanceof StoreFault) continue;
        const [back = 0] = await refunds.giveBack([{ key, quota, amount, bucket: answer.bucket }]);
        leases.refreshed(key);
        if (!(back instanceof StoreFault)) sum += back;
      }
    }
    return sum;
  }

  async peek(attributes: RequestAttributes, cost = 1): Promise<Decision> {
    assertCost(cost);
    const { rules } = this;
    const { clock, stats } = this.parts;
    const applied = rules.match(attributes, clock.nowMs() + stats.storeOffsetMs);
    const outcomes = await this.read(applied, attributes, cost);
    const shadow = outcomes.filter((_outcome, at) => applied[at]?.rule.mode === 'shadow');
    const policies = outcomes.filter((outcome) => !shadow.includes(outcome));
    return this.decisions.ofAll(policies, shadow.filter(({ source }) => source !== 'fallback'), cost, clock.nowMs(), rules.version);
  }

  async limits(attributes: RequestAttributes): Promise<Outcomes> {
    return (await this.peek(attributes)).policies;
  }

  async refund(decision: Decision): Promise<number> {
    if (this.refunded.has(decision)) return 0;
    this.refunded.add(decision);
    const given = await Promise.all([...decision.policies, ...decision.shadow].map((policy) => this.refundOne(policy)));
    return given.reduce((sum, amount) => sum + amount, 0);
  }

  async reserve(attributes: RequestAttributes, estimate: number, options: ReserveOptions = {}): Promise<Reservation> {
    requireReservable(estimate, options);
    const decision = await this.check(attributes, estimate);
    // Their charges are settled with it.
    await this.shadows.complete(decision);
    // It goes back by its settlement, never by a refund as well.
    this.refunded.add(decision);
    return this.parts.settlements.reserve(decision, options);
  }

  async settle(id: string, actual: number): Promise<Settlement> {
    requireActual(actual);
    return this.parts.settlements.settle(id, actual);
  }

  async reset(attributes: RequestAttributes): Promise<void> {
    const { clock, stats, leases, store } = this.parts;
    const applied = this.rules.match(attributes, clock.nowMs() + stats.storeOffsetMs);
    await store.reset(applied.flatMap((one) => leases.forget(one, attributes)));
  }

  stats(): LimiterStats {
    const { stats, leases, fallback, fleet } = this.parts;
    return {
      ...stats,
      decisions: { ...stats.decisions },
      activeKeys: leases.size,
      tableBytes: leases.bytes,
      fallbackKeys: fallback.size,
      fleetSize: fleet.size,
      splits: leases.auto?.size ?? 0,
    };
  }

  close(): Promise<void> {
    const { leases, returns, fleet } = this.parts;
    this.closing ??= leases.close().then(async () => {
      await Promise.all([returns.drained(), fleet.leave(), this.shadows.drained()]);
    });
    return this.closing;
  }

  private evaluate(
    evaluator: Evaluator,
    rules: RuleIndex,
    applied: readonly AppliedRule[],
    attributes: RequestAttributes,
    cost: number,
    nowMs: number,
  ): Decision | Promise<Decision> {
    if (this.closing === undefined) return evaluator.evaluate(applied, attributes, cost, nowMs, rules.version);
    const policies = closedOutcomes(this.parts, applied, attributes, cost, nowMs);
    return evaluator.decisions.ofAll(policies, NONE, cost, nowMs, rules.version);
  }

  /** Rules in shadow are evaluated behind the decision: none of them changes or delays the answer (R58). */
  private checkWithShadow(rules: RuleIndex, applied: readonly AppliedRule[], attributes: RequestAttributes, cost: number, nowMs: number): Decision | Promise<Decision> {
    const shadows = applied.filter(isShadow);
    const enforced = this.evaluate(this.uncounted, rules, applied.filter((one) => !isShadow(one)), attributes, cost, nowMs);
    const evaluate = (one: AppliedRule): Decision | Promise<Decision> => this.evaluate(this.uncounted, rules, [one], attributes, cost, this.parts.clock.nowMs());
    if (!(enforced instanceof Promise)) return this.shadows.beside({ shadows, attributes, decision: enforced, evaluate });
    return enforced.then((decision) => this.shadows.beside({ shadows, attributes, decision, evaluate }));
  }

  /** Peeks at every counter in one trip. Permits that this node holds are the caller's to spend, so they count as remaining. */
  private async read(applied: readonly AppliedRule[], attributes: RequestAttributes, cost: number): Promise<Outcomes> {
    const nowMs = this.parts.clock.nowMs();
    const found = applied.map((one) => ({ one, counter: this.parts.leases.find(one, attributes, nowMs) }));
    const answers = await this.parts.dispatcher.read(
      found.flatMap(({ counter }) => counter.parts.map(({ key, quota }) => ({ key, quota, need: cost, want: 0, backAmount: 0, backBucket: 0 }))),
    );
    let next = 0;
    return found.map(({ one, counter: { key, capacity, parts } }) => {
      const answer = combinedAnswer(parts, answers.slice(next, (next += parts.length)), cost);
      // While the store is away a rule that allows is read where it is decided: in the fallback (R41).
      const isAway = answer instanceof StoreFault && one.rule.onStoreFailure === 'allow';
      return isAway ? readOutcome(one, this.parts.fallback.peek(key, one.quota, cost), cost, cost > capacity, 'fallback') : readOutcome(one, answer, cost, cost > capacity, 'store');
    });
  }

  private async refundOne({ charge, source }: PolicyOutcome): Promise<number> {
    if (charge === undefined) return 0;
    const { refunds, fallback, leases } = this.parts;
    if (source === 'fallback') {
      return fallback.giveBack(charge.key, charge.quota, charge.amount, charge.bucket);
    }
    const [given = 0] = await refunds.giveBack([charge]);
    leases.refreshed(charge.key);
    return given instanceof StoreFault ? 0 : given;
  }
}

function hasShadow(applied: readonly AppliedRule[]): boolean {
  // By number: an iterator over a frozen array is not optimised away, and this is on the path of every request.
  for (let at = 0; at < applied.length; at += 1) if (applied[at]?.rule.mode === 'shadow') return true;
  return false;
}

function isShadow(applied: AppliedRule): boolean {
  return applied.rule.mode === 'shadow';
}

function readOutcome(one: AppliedRule, answer: Answer, cost: number, never: boolean, source: DecisionSource): PolicyOutcome {
  if (answer instanceof StoreFault) return storeAway(one);
  const { remaining, resetMs } = answer;
  if (never) return new SettledOutcome(one, remaining, resetMs, 'cost_exceeds_limit', source, NEVER, undefined);
  if (remaining >= cost) return new SettledOutcome(one, remaining, resetMs, 'ok', source, 0, undefined);
  return new SettledOutcome(one, remaining, resetMs, 'quota', source, Math.max(1, answer.retryMs), undefined);
}

function assertCost(cost: number): void {
  if (!Number.isSafeInteger(cost) || cost < 0) throw new RangeError(`cost must be an integer of at least 0, got ${String(cost)}`);
}
