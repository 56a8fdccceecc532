import { type JudgedGoal, type Requirement, REQUIREMENTS } from '../measure/judged-goal.js';
import { applies } from '../measure/requirements.js';
import type { Scenario } from '../scenarios/scenario.js';

/** What a scenario says of the requirements. */
export interface Coverage {
  /** Held to all that the requirement asks for. */
  readonly judged: readonly Requirement[];
  /** Held to a part of it, or to a lower bar. */
  readonly inPart: readonly Requirement[];
  /** The requirement speaks of such a scenario, and nothing is judged. */
  readonly leftOut: readonly Requirement[];
}

export function coverageOf(scenario: Scenario, goals: readonly JudgedGoal[]): Coverage {
  const named = (requirement: Requirement): readonly JudgedGoal[] => goals.filter((goal) => goal.requirement === requirement);
  return {
    judged: REQUIREMENTS.filter((requirement) => named(requirement).length > 0 && named(requirement).every((goal) => goal.asRequired)),
    inPart: REQUIREMENTS.filter((requirement) => named(requirement).some((goal) => !goal.asRequired)),
    leftOut: REQUIREMENTS.filter((requirement) => named(requirement).length === 0 && applies(requirement, scenario)),
  };
}

/** `R23 R24 (R25), not R26`: judged, judged in part, left out. */
export function coverageText({ judged, inPart, leftOut }: Coverage): string {
  const said = REQUIREMENTS.flatMap((requirement) => (judged.includes(requirement) ? [requirement] : inPart.includes(requirement) ? [`(${requirement})`] : []));
  return said.join(' ') + (leftOut.length === 0 ? '' : `, not ${leftOut.join(' ')}`);
}

/** What all scenarios together have judged, and in how many of them which goal is left out: a line for each requirement. */
export function coverageLines(coverages: readonly Coverage[]): readonly string[] {
  return REQUIREMENTS.map((requirement) => {
    const count = (part: keyof Coverage): number => coverages.filter((coverage) => coverage[part].includes(requirement)).length;
    return `${requirement}: judged in ${count('judged')}, in part or by a lower bar in ${count('inPart')}, left out where it applies in ${count('leftOut')}`;
  });
}
