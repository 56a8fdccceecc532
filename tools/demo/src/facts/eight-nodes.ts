import { quota } from '@sluice/algorithms';
import type { Fact, Lab } from '../lab.js';

const NODES = 8;
const of = quota({ algorithm: 'sliding_counter', limit: 5, windowMs: 60_000 });

/** Each node reads, all have read, each node writes: the way of a limiter without an atomic step. */
export const readThenWrite: Fact = {
  title: `${NODES} nodes read, then write; limit 5`,
  async show(lab) {
    const readings = await Promise.all(Array.from({ length: NODES }, () => ask(lab, 'torn', 0)));
    const admitted = readings.filter(({ remaining }) => remaining >= 1).length;
    return [`${admitted} admitted: every node read 5 left before any of them wrote`];
  },
};

/** The same race through one atomic step. */
export const oneScript: Fact = {
  title: `${NODES} nodes check and charge in one step; limit 5`,
  async show(lab) {
    const answers = await Promise.all(Array.from({ length: NODES }, () => ask(lab, 'atomic', 1)));
    return [`${answers.filter(({ granted }) => granted === 1).length} admitted`];
  },
};

async function ask({ store, clock, run }: Lab, name: string, want: number): Promise<{ granted: number; remaining: number }> {
  clock.set(1_000_000_000_000);
  const [answer] = await store.take([{ key: `${run}.${name}`, quota: of, need: 1, want, backAmount: 0, backBucket: 0 }]);
  if (answer === undefined || answer instanceof Error) throw answer ?? new Error('the store did not answer');
  return answer;
}
