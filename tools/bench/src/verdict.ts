import { median } from './cold/measure.js';

/** Rounds that have to be on the side of their median. */
const AGREEING = 0.75;

/**
 * What the rounds say of a goal for their median: `met`, `MISSED`, or that they disagree too much for either. The count is there always.
 *
 * @param goal as printed: `at least 0.4`
 */
export function verdict(goal: string, rounds: readonly number[], meets: (value: number) => boolean): string {
  const meeting = rounds.filter(meets).length;
  const isMet = meets(median(rounds));
  const agreeing = isMet ? meeting : rounds.length - meeting;
  const said = agreeing / rounds.length < AGREEING ? 'no verdict, rounds disagree' : isMet ? 'met' : 'MISSED';
  return `goal, ${goal}: ${said} (by ${meeting} of ${rounds.length} rounds)`;
}
