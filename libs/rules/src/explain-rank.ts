import { MATCH_CLASS, type RuleMatch } from './rule-match.js';
import { compareText } from './specificity.js';

const CLASS_NAMES: Readonly<Record<number, string>> = {
  [MATCH_CLASS.domainDefault]: 'a rule for everything',
  [MATCH_CLASS.planDefault]: "a plan's default limit",
  [MATCH_CLASS.descriptors]: 'a rule with descriptors alone',
  [MATCH_CLASS.plan]: 'a rule for a plan',
  [MATCH_CLASS.endpoint]: 'a rule for an endpoint',
  [MATCH_CLASS.planAndEndpoint]: 'a rule for plan and endpoint',
};

/** What the first of two matches that both concern a request has over the second: the first difference in the order of `compareSpecificity`. */
export function rankReason(winner: RuleMatch, loser: RuleMatch): string {
  if (winner.matchClass !== loser.matchClass) return `${nameOf(winner)} goes before ${nameOf(loser)}`;
  if (winner.exact.length !== loser.exact.length) return `it names ${count(winner.exact.length, 'exact descriptor')}, this one ${winner.exact.length > loser.exact.length ? 'only ' : ''}${loser.exact.length}`;
  if (winner.wild.length !== loser.wild.length) return `it asks for ${count(winner.wild.length, 'descriptor')} of any value, this one for ${loser.wild.length}`;
  if (winner.literals !== loser.literals) return `its route has ${count(winner.literals, 'literal segment')}, this one ${loser.literals}`;
  if (hasMethod(winner) !== hasMethod(loser)) return 'its endpoint names a method, and this one does not';
  if (winner.shape !== loser.shape) return 'its route is the narrower one, segment by segment';
  if ((winner.domain === undefined) !== (loser.domain === undefined)) return 'it names a domain, and this one does not';
  return compareText(winner.ruleId, loser.ruleId) < 0 ? 'they are equally specific, and its id comes first' : 'they are equally specific';
}

function nameOf({ matchClass }: RuleMatch): string {
  return CLASS_NAMES[matchClass] ?? 'a rule';
}

function hasMethod({ template }: RuleMatch): boolean {
  return template?.method !== undefined;
}

function count(number: number, name: string): string {
  return `${number} ${name}${number === 1 ? '' : 's'}`;
}
