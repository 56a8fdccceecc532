import { closedOutcomes, type ClosedParts } from '../closed-outcomes.js';
import type { PolicyOutcome } from '../decision.js';
import type { Rechecks } from '../lease/rechecks.js';
import { settledBy } from '../settled-by.js';
import { SeveralLimits, type Claim, type SeveralLimitsParts } from '../several-limits.js';
import { demandOf, type SharedDemand } from './demand.js';

export interface JointParts extends SeveralLimitsParts, ClosedParts {
  readonly leases: SeveralLimitsParts['leases'];
  readonly rechecks: Rechecks;
}

/** What came of each demand, when it was settled, and the demands themselves: of two that met one counter one was made. */
export interface Joint {
  readonly demands: readonly SharedDemand[];
  readonly outcomes: readonly PolicyOutcome[];
  readonly atMs: number;
}

/** Evaluates the counters that several parts of a request take from, all or none (R8). At once when every permit is at hand or one is known to refuse. */
export class JointEvaluator {
  private readonly several: SeveralLimits;

  constructor(private readonly parts: JointParts) {
    this.several = new SeveralLimits(parts);
  }

  /** @param barred something refuses the request already, so that nothing is charged. */
  evaluate(demands: readonly SharedDemand[], barred: boolean, nowMs: number): Joint | Promise<Joint> {
    const { several } = this;
    const claims = this.locate(demands, nowMs);
    const met = meeting(demands, claims);
    if (met !== undefined) return this.evaluate(met, barred, nowMs);
    const { asks, refuses } = this.standings(claims, barred, nowMs);
    if (!refuses && !asks) return { demands, outcomes: several.spend(claims, nowMs), atMs: nowMs };
    if (!refuses && several.meetsSplit(claims, nowMs)) return this.evaluate(demands, barred, nowMs);
    return settledBy<Joint>((done) => {
      const settled = (outcomes: readonly PolicyOutcome[], atMs: number): void => done({ demands, outcomes, atMs });
      if (refuses) several.refuse(claims, nowMs, settled);
      else several.attempt(claims, nowMs, settled);
    });
  }

  /** As while the store is away, by this node alone (R44). */
  evaluateClosed(demands: readonly SharedDemand[], barred: boolean, nowMs: number): Joint {
    return { demands, outcomes: closedOutcomes(this.parts, demands, nowMs, barred), atMs: nowMs };
  }

  private locate(demands: readonly SharedDemand[], nowMs: number): readonly Claim[] {
    const { leases } = this.parts;
    return demands.map(({ applied, attributes, cost }, at) => ({ applied, cursor: leases.locate(at, applied, attributes, cost, nowMs), cost }));
  }

  /** Whether a trip is due, or the request is known to be refused without one; the latter but for now and then (see {@link Rechecks}). */
  private standings(claims: readonly Claim[], barred: boolean, nowMs: number): { readonly asks: boolean; readonly refuses: boolean } {
    let asks = false;
    let refuses = barred;
    let leastWaitMs = barred ? 0 : Infinity;
    let leastPauseMs = Infinity;
    for (const { cursor, cost } of claims) {
      const { capacity, strategy } = cursor.terms;
      const standing = cost > capacity ? 'never' : strategy.leases ? cursor.standing(cost, nowMs) : 'ask';
      if (standing === 'ask') asks = true;
      if (standing !== 'never' && standing !== 'dry') continue;
      refuses = true;
      leastWaitMs = Math.min(leastWaitMs, standing === 'never' ? 0 : cursor.waitMs(cost, nowMs));
      leastPauseMs = Math.min(leastPauseMs, cursor.pauseMs);
    }
    if (refuses && this.parts.rechecks.due(leastWaitMs, leastPauseMs)) return { asks: true, refuses: false };
    return { asks, refuses };
  }
}

/** Demands of which several stand on one counter, put together: those of a rule that has too many keys share one (R11). Undefined where none do. */
function meeting(demands: readonly SharedDemand[], claims: readonly Claim[]): readonly SharedDemand[] | undefined {
  for (let at = 1; at < claims.length; at += 1) {
    for (let before = 0; before < at; before += 1) {
      if (!isSame(claims[before], claims[at])) continue;
      const [first, second] = [demands[before], demands[at]];
      if (first === undefined || second === undefined) continue;
      const both = demandOf([...first.limits, ...second.limits].sort((a, b) => a.part - b.part));
      return demands.flatMap((demand) => (demand === first ? [both] : demand === second ? [] : [demand]));
    }
  }
  return undefined;
}

function isSame(one: Claim | undefined, other: Claim | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const [a, b] = [one.cursor, other.cursor];
  return a.split === undefined ? b.split === undefined && a.entry === b.entry : a.split === b.split;
}
