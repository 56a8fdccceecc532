import type { Reach } from './covers.js';
import { eachInSteps, type Steps } from './steps.js';

/** So few are compared with each other sooner than they are sorted into groups. */
const FEW = 16;
/** Literal segments that are looked at; what is beyond them narrows hardly anything. */
const SEGMENTS = 32;

/**
 * Finds, among many rules, the few that could cover a given one: whatever a rule asks of a request (a domain, a plan, a method, a literal at its place, a descriptor) the covered one
 * must ask too. Each rule is kept under that demand of its own which the fewest meet.
 */
export class CoverCandidates<E extends Reach> {
  private constructor(private readonly byDemand: ReadonlyMap<string, readonly E[]> | undefined, private readonly few: readonly E[]) {}

  /** @param narrow those that will be asked about */
  static *of<E extends Reach>(wide: readonly E[], narrow: readonly Reach[]): Steps<CoverCandidates<E>> {
    if (wide.length <= FEW) return new CoverCandidates(undefined, wide);
    const met = new Map<string, number>();
    yield* eachInSteps(narrow, (each) => {
      for (const demand of metBy(each)) met.set(demand, (met.get(demand) ?? 0) + 1);
    });
    const byDemand = new Map<string, E[]>();
    yield* eachInSteps(wide, (each) => {
      const rarest = rarestOf(demandsOf(each), met);
      const known = byDemand.get(rarest);
      if (known === undefined) byDemand.set(rarest, [each]);
      else known.push(each);
    });
    return new CoverCandidates(byDemand, []);
  }

  /** In groups, each in the order that they came in. No other one covers `narrow`. */
  for(narrow: Reach): readonly (readonly E[])[] {
    if (this.byDemand === undefined) return [this.few];
    return [...metBy(narrow)].flatMap((demand) => [this.byDemand?.get(demand) ?? []]);
  }
}

const NO_DEMAND = '';

function rarestOf(demands: readonly string[], met: ReadonlyMap<string, number>): string {
  let rarest = NO_DEMAND;
  let fewest = Infinity;
  for (const demand of demands) {
    const count = met.get(demand) ?? 0;
    if (count >= fewest) continue;
    rarest = demand;
    fewest = count;
  }
  return rarest;
}

/** What a request has to have for the rule, each as `covers` compares it. */
function demandsOf({ match, countBy }: Reach): string[] {
  return [...sharedDemands(match), ...match.wild.map(present), ...countBy.map(present)];
}

/** All demands that a rule within this one's reach may make. */
function metBy({ match, countBy }: Reach): ReadonlySet<string> {
  const met = new Set([NO_DEMAND, ...sharedDemands(match)]);
  for (const name of [...match.wild, ...countBy]) met.add(present(name));
  for (const [name] of match.exact) met.add(present(name));
  if (match.plan !== undefined) met.add(present('plan'));
  if (match.domain !== undefined) met.add(present('domain'));
  if (match.template !== undefined) met.add(present('endpoint'));
  return met;
}

function sharedDemands({ plan, domain, template, exact }: Reach['match']): string[] {
  const demands = exact.map(([name, value]) => `=${name} ${value}`);
  if (plan !== undefined) demands.push(`plan ${plan}`);
  if (domain !== undefined) demands.push(`domain ${domain}`);
  if (template?.method !== undefined) demands.push(`method ${template.method}`);
  for (const [at, segment] of (template?.segments ?? []).slice(0, SEGMENTS).entries()) if (segment !== undefined) demands.push(`/${String(at)} ${segment}`);
  return demands;
}

function present(name: string): string {
  return `*${name}`;
}
