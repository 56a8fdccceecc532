import { quota, type Quota } from '@sluice/algorithms';
import type { Fact, Lab } from '../lab.js';

const BURST = 5;
const AT_SECONDS = [0.5, 1, 1.5, 2];
const START_MS = 1_000_000_000_000;

/** Bursts around a window's edge: the sliding counter weighs the last window in, the fixed window forgets it. */
export const boundaryBurst: Fact = {
  title: 'limit 5/s, a burst of 5 at 0.5, 1.0, 1.5 and 2.0 s',
  async show(lab) {
    const sliding = quota({ algorithm: 'sliding_counter', limit: 5, windowMs: 1000 });
    const fixed = quota({ algorithm: 'fixed_window', limit: 5, windowMs: 1000 });
    const forgetful = await bursts(lab, 'fixed', fixed);
    const [first = 0, second = 0] = forgetful;
    return [
      `sliding counter admits ${(await bursts(lab, 'sliding', sliding)).join(', ')}`,
      `fixed window admits    ${forgetful.join(', ')}: ${first + second} within half a second`,
    ];
  },
};

async function bursts({ store, clock, run }: Lab, name: string, of: Quota): Promise<number[]> {
  const admitted: number[] = [];
  for (const second of AT_SECONDS) {
    clock.set(START_MS + second * 1000);
    let allowed = 0;
    for (let request = 0; request < BURST; request += 1) {
      const [answer] = await store.take([{ key: `${run}.${name}`, quota: of, need: 1, want: 1, backAmount: 0, backBucket: 0 }]);
      if (answer instanceof Error) throw answer;
      allowed += answer?.granted ?? 0;
    }
    admitted.push(allowed);
  }
  return admitted;
}
