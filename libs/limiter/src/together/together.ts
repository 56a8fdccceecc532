import type { AppliedRule, GivenLimit, GivenRules, RequestAttributes, RuleIndex } from '@sluice/rules';
import type { Decision, PolicyOutcome } from '../decision.js';
import type { Decisions } from '../decisions.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { Readings } from '../readings.js';
import { NONE } from '../request-decision.js';
import type { Shadows } from '../shadow/shadows.js';
import { bannedOutcome } from './banned-outcome.js';
import { demandsOf, type PartLimit } from './demand.js';
import { JointEvaluator, type Joint, type JointParts } from './joint-evaluator.js';
import { limitOutcomes } from './limit-outcomes.js';
import type { RequestPart } from './request-part.js';

export interface TogetherParts extends JointParts {
  readonly stats: Pick<LimiterStats, 'storeOffsetMs'>;
  readonly givenRules: GivenRules;
  readonly readings: Readings;
  readonly shadows: Shadows;
  /** Those that are handed out, and those that others are made of. */
  readonly decisions: Decisions;
  readonly uncounted: Decisions;
  readonly isClosing: () => boolean;
  /** Evaluates rules by themselves, for those in shadow. */
  readonly evaluate: (rules: RuleIndex, applied: readonly AppliedRule[], attributes: RequestAttributes, cost: number) => Decision | Promise<Decision>;
}

/** A part, and the rules that it is decided by. */
interface RuledPart {
  readonly cost: number;
  /** By which it is counted. */
  readonly attributes: RequestAttributes;
  readonly enforced: readonly AppliedRule[];
  readonly shadows: readonly AppliedRule[];
  /** Refuses without being asked. */
  readonly banned: PolicyOutcome | undefined;
}

type Decided = readonly Decision[] | Promise<readonly Decision[]>;

/** Decides requests of several parts, all or none (R8): docs/adr/0031-several-parts.md. */
export class Together {
  private readonly evaluator: JointEvaluator;

  constructor(private readonly parts: TogetherParts) {
    this.evaluator = new JointEvaluator(parts);
  }

  /** Expects parts whose costs and given limits were checked. */
  check(rules: RuleIndex, parts: readonly RequestPart[], nowMs: number): Decided {
    const ruled = parts.map((part) => this.ruled(rules, part, nowMs + this.parts.stats.storeOffsetMs));
    if (parts.every(({ cost }) => cost > 0)) return this.charge(rules, ruled, nowMs);
    const charging = ruled.filter(({ cost }) => cost > 0);
    // Sent first, so that they see the counters as they were.
    const peeks = ruled.filter(({ cost }) => cost === 0).map((part) => this.peek(rules, part));
    const charged = this.charge(rules, charging, nowMs);
    return Promise.all([charged, ...peeks]).then(([decisions, ...peeked]) => {
      let [nextCharged, nextPeeked] = [0, 0];
      return ruled.flatMap(({ cost }) => (cost > 0 ? decisions[nextCharged++] : peeked[nextPeeked++]) ?? []);
    });
  }

  private ruled(rules: RuleIndex, { attributes, cost, given }: RequestPart, storeMs: number): RuledPart {
    const matching = rules.match(attributes, storeMs);
    if (given !== undefined) return this.given(matching, attributes, cost, given, storeMs);
    if (!matching.some(isShadow)) return { cost, attributes, enforced: matching, shadows: NO_RULES, banned: undefined };
    return { cost, attributes, enforced: matching.filter((one) => !isShadow(one)), shadows: matching.filter(isShadow), banned: undefined };
  }

  private given(matching: readonly AppliedRule[], attributes: RequestAttributes, cost: number, given: GivenLimit, storeMs: number): RuledPart {
    const { applied, attributes: counted } = this.parts.givenRules.of(matching, attributes, given);
    if (given.limit > 0) return { cost, attributes: counted, enforced: [applied], shadows: NO_RULES, banned: undefined };
    return { cost, attributes: counted, enforced: NO_RULES, shadows: NO_RULES, banned: bannedOutcome(applied, given, cost, storeMs) };
  }

  private async peek(rules: RuleIndex, { enforced, shadows, attributes, banned }: RuledPart): Promise<Decision> {
    const { readings, decisions, clock } = this.parts;
    const outcomes = banned === undefined ? await readings.of([...enforced, ...shadows], attributes, 0) : [banned];
    const policies = banned === undefined ? outcomes.slice(0, enforced.length) : outcomes;
    const shadow = banned === undefined ? outcomes.slice(enforced.length).filter(({ source }) => source !== 'fallback') : NONE;
    return decisions.ofAll(policies, shadow, 0, clock.nowMs(), rules.version);
  }

  private charge(rules: RuleIndex, parts: readonly RuledPart[], nowMs: number): Decided {
    const limits: PartLimit[] = [];
    let barred = false;
    parts.forEach(({ enforced, attributes, cost, banned }, part) => {
      if (banned !== undefined) barred = true;
      for (let at = 0; at < enforced.length; at += 1) {
        const applied = enforced[at];
        if (applied !== undefined) limits.push({ applied, attributes, cost, part, at });
      }
    });
    const demands = demandsOf(limits);
    const joint = this.parts.isClosing() ? this.evaluator.evaluateClosed(demands, barred, nowMs) : this.evaluator.evaluate(demands, barred, nowMs);
    return joint instanceof Promise ? joint.then((late) => this.decide(rules, parts, late)) : this.decide(rules, parts, joint);
  }

  private decide(rules: RuleIndex, parts: readonly RuledPart[], { demands, outcomes, atMs }: Joint): readonly Decision[] {
    const byPart = parts.map(({ banned }): PolicyOutcome[] => (banned === undefined ? [] : [banned]));
    for (let at = 0; at < demands.length; at += 1) {
      const demand = demands[at];
      const whole = outcomes[at];
      if (demand === undefined || whole === undefined) continue;
      const told = limitOutcomes(demand, whole);
      demand.limits.forEach((limit, position) => {
        const policies = byPart[limit.part];
        const outcome = told[position];
        if (policies !== undefined && outcome !== undefined) policies[limit.at] = outcome;
      });
    }
    return parts.map((part, at) => this.decision(rules, part, byPart[at] ?? NONE, byPart, atMs));
  }

  /** @param all the outcomes of all parts: one that is refused is charged nowhere, in shadow neither (R58). */
  private decision(rules: RuleIndex, { shadows, attributes, cost }: RuledPart, policies: readonly PolicyOutcome[], all: readonly (readonly PolicyOutcome[])[], atMs: number): Decision {
    const { decisions, uncounted, evaluate } = this.parts;
    if (shadows.length === 0) return decisions.ofAll(policies, NONE, cost, atMs, rules.version);
    const decision = uncounted.ofAll(policies, NONE, cost, atMs, rules.version);
    return this.parts.shadows.beside({ shadows, attributes, decision, enforced: all.flat(), evaluate: (one) => evaluate(rules, [one], attributes, cost) });
  }
}

const NO_RULES: readonly AppliedRule[] = Object.freeze([]);

function isShadow({ rule }: AppliedRule): boolean {
  return rule.mode === 'shadow';
}
