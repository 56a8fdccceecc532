import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { Decision, PolicyOutcome } from '../decision.js';
import type { ObserveShadow, ShadowVerdict } from './observe-shadow.js';

/** One request as its rules in shadow see it. */
export interface ShadowedRequest {
  readonly shadows: readonly AppliedRule[];
  readonly attributes: RequestAttributes;
  /** The decision that stands. */
  readonly decision: Decision;
  /** All outcomes that the request depends on: those of the decision, and of the other parts of the request. */
  readonly enforced: readonly PolicyOutcome[];
  /** Evaluates one limit by itself, and charges what it grants. */
  readonly evaluate: (one: AppliedRule) => Decision | Promise<Decision>;
}

export interface ShadowsParts {
  readonly observe: ObserveShadow | undefined;
  /** Puts the decision that is handed out together, with a list of outcomes that may still grow. */
  readonly put: (decision: Decision, outcomes: readonly PolicyOutcome[]) => Decision;
  /** A charge came after its decision had been refunded. */
  readonly tooLate: (outcome: PolicyOutcome, decision: Decision) => void;
}

/**
 * Evaluates rules in shadow behind a decision that stands (R58): the answer waits for none of them. Each is charged, on counters of its own, for the
 * requests that it would be charged for if it were enforced: those that all limits of other policies admit. What it would take the place of, the rule of
 * its own policy and the one that it is a proposed version of, has no say. A request that another limit refuses it is not asked about: it would be refused anyway.
 */
export class Shadows {
  private readonly late = new Map<Decision, Promise<unknown>>();

  constructor(private readonly parts: ShadowsParts) {}

  /** The decision with the outcomes that need no trip; the others join its list when they are there. */
  beside({ shadows, attributes, decision, enforced, evaluate }: ShadowedRequest): Decision {
    const outcomes: PolicyOutcome[] = [];
    const whole = this.parts.put(decision, outcomes);
    const awaited: Promise<void>[] = [];
    for (const one of shadows) {
      if (!isAskedFor(one, enforced)) continue;
      const evaluated = unlessFaulty(one, evaluate);
      if (evaluated instanceof Promise) awaited.push(evaluated.then((late) => this.note(one, late, outcomes, whole, attributes), () => this.note(one, undefined, outcomes, whole, attributes)));
      else this.note(one, evaluated, outcomes, whole, attributes);
    }
    if (awaited.length > 0) this.late.set(whole, Promise.all(awaited).finally(() => this.late.delete(whole)));
    return whole;
  }

  /** When all outcomes of a decision are there. */
  async complete(decision: Decision): Promise<void> {
    await this.late.get(decision);
  }

  /** When those of all decisions so far are there. */
  async drained(): Promise<void> {
    await Promise.all(this.late.values());
  }

  private note(one: AppliedRule, evaluated: Decision | undefined, outcomes: PolicyOutcome[], whole: Decision, attributes: RequestAttributes): void {
    const outcome = evaluated?.deciding;
    const verdict = verdictOf(outcome);
    if (outcome !== undefined && verdict !== 'unknown') {
      outcomes.push(outcome);
      this.parts.tooLate(outcome, whole);
    }
    this.parts.observe?.(one, verdict, attributes, whole.nowMs);
  }
}

function isAskedFor({ rule }: AppliedRule, enforced: readonly PolicyOutcome[]): boolean {
  return enforced.every(({ allowed, policy, ruleId }) => allowed || policy === rule.policy || ruleId === rule.replaces);
}

/** What goes wrong in shadow must not reach the answer. */
function unlessFaulty(one: AppliedRule, evaluate: ShadowedRequest['evaluate']): Decision | Promise<Decision> | undefined {
  try {
    return evaluate(one);
  } catch {
    return undefined;
  }
}

/** What the fallback says is this node's guess, and not what the counter would have said. */
function verdictOf(outcome: PolicyOutcome | undefined): ShadowVerdict {
  if (outcome === undefined || outcome.source === 'fallback') return 'unknown';
  return outcome.allowed ? 'allowed' : 'denied';
}
