import { assertGivenLimit, GivenRules, type AppliedRule, type GivenLimit, type RequestAttributes, type RuleIndex } from '@sluice/rules';
import type { Refunds } from './approximate/refunds.js';
import { closedOutcomes } from './closed-outcomes.js';
import type { Decision, PolicyOutcome } from './decision.js';
import { Decisions } from './decisions.js';
import { Evaluator, type EvaluatorParts } from './evaluator.js';
import type { Fleet } from './fleet/fleet.js';
import type { GiveBacks } from './give-backs.js';
import type { LimiterStats } from './limiter-stats.js';
import type { Limiter } from './limiter.js';
import { Readings } from './readings.js';
import { NONE } from './request-decision.js';
import type { Reservation, ReserveOptions } from './settlement/reservation.js';
import type { ObserveShadow } from './shadow/observe-shadow.js';
import { Shadows } from './shadow/shadows.js';
import type { Settlement } from './settlement/settlement.js';
import { requireActual, requireReservable, type Settlements } from './settlement/settlements.js';
import { StoreFault } from './store/store-fault.js';
import type { RequestPart } from './together/request-part.js';
import { Together } from './together/together.js';
import type { GiveBackQueue } from './trip/give-back-queue.js';

export interface EngineParts extends Omit<EvaluatorParts, 'decisions'> {
  readonly refunds: Refunds;
  readonly returns: GiveBackQueue;
  readonly stats: LimiterStats;
  readonly fleet: Fleet;
  readonly settlements: Settlements;
  readonly giveBacks: GiveBacks;
  readonly rules: RuleIndex;
  /** Hears of rules in shadow (R58). */
  readonly onShadow?: ObserveShadow | undefined;
}

/** The limiter of one node: rules, then leases, then the store. Makes no promise where the permits are at hand. */
export class Engine implements Limiter {
  private rules: RuleIndex;
  private readonly decisions: Decisions;
  private readonly evaluator: Evaluator;
  /** For groups of rules of which the decisions are put together to one. */
  private readonly uncounted: Evaluator;
  private readonly shadows: Shadows;
  private readonly givenRules = new GivenRules();
  private readonly readings: Readings;
  private readonly together: Together;
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
    this.readings = new Readings(parts);
    this.together = new Together({
      ...parts,
      givenRules: this.givenRules,
      readings: this.readings,
      shadows: this.shadows,
      decisions: this.decisions,
      uncounted: this.uncounted.decisions,
      isClosing: () => this.closing !== undefined,
      evaluate: (rules, applied, attributes, cost) => this.evaluate(this.uncounted, rules, applied, attributes, cost, this.parts.clock.nowMs()),
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

  checkTogether(parts: readonly RequestPart[]): readonly Decision[] | Promise<readonly Decision[]> {
    for (const { cost, given } of parts) {
      assertCost(cost);
      if (given !== undefined) assertGivenLimit(given);
    }
    const [only] = parts;
    if (only === undefined || parts.length > 1 || only.cost === 0 || only.given !== undefined) return this.together.check(this.rules, parts, this.parts.clock.nowMs());
    const decided = this.check(only.attributes, only.cost);
    return decided instanceof Promise ? decided.then(alone) : alone(decided);
  }

  async peek(attributes: RequestAttributes, cost = 1): Promise<Decision> {
    assertCost(cost);
    const { rules } = this;
    const { clock } = this.parts;
    const applied = this.matching(attributes);
    const outcomes = await this.readings.of(applied, attributes, cost);
    const shadow = outcomes.filter((_outcome, at) => applied[at]?.rule.mode === 'shadow');
    const policies = outcomes.filter((outcome) => !shadow.includes(outcome));
    return this.decisions.ofAll(policies, shadow.filter(({ source }) => source !== 'fallback'), cost, clock.nowMs(), rules.version);
  }

  async limits(attributes: RequestAttributes): Promise<readonly PolicyOutcome[]> {
    return (await this.peek(attributes)).policies;
  }

  async refund(decision: Decision): Promise<number> {
    if (this.refunded.has(decision)) return 0;
    this.refunded.add(decision);
    return sumOf([...decision.policies, ...decision.shadow].map((policy) => this.refundOne(policy)));
  }

  async giveBack(attributes: RequestAttributes, amount: number, given?: GivenLimit): Promise<number> {
    assertCost(amount);
    if (given !== undefined) assertGivenLimit(given);
    const matching = this.matching(attributes);
    if (given === undefined) return sumOf(matching.map((applied) => this.parts.giveBacks.to(applied, attributes, amount)));
    if (given.limit === 0) return 0;
    const one = this.givenRules.of(matching, attributes, given);
    return this.parts.giveBacks.to(one.applied, one.attributes, amount);
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
    const { leases, store } = this.parts;
    await store.reset(this.matching(attributes).flatMap((one) => leases.forget(one, attributes)));
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
    return evaluator.decisions.ofAll(this.closed(applied, attributes, cost, nowMs), NONE, cost, nowMs, rules.version);
  }

  /** By itself: a function with a closure in it pays for that also where the closure is not made. */
  private closed(applied: readonly AppliedRule[], attributes: RequestAttributes, cost: number, nowMs: number): readonly PolicyOutcome[] {
    return closedOutcomes(this.parts, applied.map((one) => ({ applied: one, attributes, cost })), nowMs);
  }

  /** Rules in shadow are evaluated behind the decision: none of them changes or delays the answer (R58). */
  private checkWithShadow(rules: RuleIndex, applied: readonly AppliedRule[], attributes: RequestAttributes, cost: number, nowMs: number): Decision | Promise<Decision> {
    const shadows = applied.filter(isShadow);
    const enforced = this.evaluate(this.uncounted, rules, applied.filter((one) => !isShadow(one)), attributes, cost, nowMs);
    const evaluate = (one: AppliedRule): Decision | Promise<Decision> => this.evaluate(this.uncounted, rules, [one], attributes, cost, this.parts.clock.nowMs());
    if (!(enforced instanceof Promise)) return this.shadows.beside({ shadows, attributes, decision: enforced, enforced: enforced.policies, evaluate });
    return enforced.then((decision) => this.shadows.beside({ shadows, attributes, decision, enforced: decision.policies, evaluate }));
  }

  private matching(attributes: RequestAttributes): readonly AppliedRule[] {
    return this.rules.match(attributes, this.parts.clock.nowMs() + this.parts.stats.storeOffsetMs);
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

function alone(decision: Decision): readonly Decision[] {
  return [decision];
}

async function sumOf(amounts: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(amounts)).reduce((sum, amount) => Math.min(Number.MAX_SAFE_INTEGER, sum + amount), 0);
}

function assertCost(cost: number): void {
  if (!Number.isSafeInteger(cost) || cost < 0) throw new RangeError(`cost must be an integer of at least 0, got ${String(cost)}`);
}
