import type { Benchmark } from '../benchmark.js';
import { printNoted } from './noted.js';
import { printSaturated } from './saturated.js';
import { printServed } from './served.js';

export const stream: Benchmark = {
  name: 'stream',
  about: 'what the decision stream adds to a decision, and to a node whose sink takes all, refuses, or never answers; Kafka running and stopped',
  async run({ short, print }) {
    await printNoted(short, print);
    print('');
    await printSaturated(short, print);
    print('');
    await printServed(short, print);
  },
};
