/** What reached the simulated store: the moments of everything that it had to run a script for. */
export class StoreLog {
  /** Virtual ms of each script run, in order: questions for permits and returns alike. */
  readonly runs: number[] = [];
  /** How many of them were returns by themselves. */
  returns = 0;
}
