import type { Benchmark } from '../benchmark.js';
import { load, measure } from './measure.js';
import { engineSubject, mapSubject } from './subject.js';

const KEY_COUNTS = [1_000, 100_000, 1_000_000];

export const engine: Benchmark = {
  name: 'engine',
  about: 'a decision from a local lease, attributes to decision value, beside a plain Map of objects',
  async run({ short, print }) {
    print('keys        engine ns/op   Map ns/op   ratio   engine bytes/key   Map bytes/key');
    for (const keys of KEY_COUNTS) {
      const traffic = load(keys, short ? 200_000 : 1_000_000);
      const rounds = short ? 2 : 5;
      const plain = await measure(mapSubject, traffic, rounds);
      const sluice = await measure(() => engineSubject(keys), traffic, rounds);
      const cells = [
        String(keys).padEnd(10),
        sluice.nsPerDecision.toFixed(0).padStart(14),
        plain.nsPerDecision.toFixed(0).padStart(11),
        (sluice.nsPerDecision / plain.nsPerDecision).toFixed(2).padStart(7),
        sluice.bytesPerKey.toFixed(0).padStart(18),
        plain.bytesPerKey.toFixed(0).padStart(15),
      ];
      print(cells.join(' '));
    }
  },
};
