import type { Benchmark } from '../benchmark.js';
import { bytesADecision, load, prime, race, settledBytes, usedBytes } from './measure.js';
import { mixedLoad } from './mixed-load.js';
import { passThrough } from './pass-through.js';
import { engineSubject, mapSubject } from './subject.js';

const KEY_COUNTS = [1_000, 100_000, 1_000_000];
const DECISIONS_A_SLICE = 100_000;

export const engine: Benchmark = {
  name: 'engine',
  about: 'a decision from a local lease, attributes to decision value, beside a plain Map of objects',
  async run({ short, print }) {
    const slices = short ? 8 : 30;
    print('          decision, ns     bytes a decision   bytes a key');
    print('keys        engine  Map ratio   engine   Map   table  all, while permits are held  all, when they went back   Map');
    for (const keys of KEY_COUNTS) print(await compare(keys, slices));
    print('');
    print(await mixedLoad(short ? 1_000_000 : 5_000_000));
    await passThrough(short ? 2_000_000 : 5_000_000, print);
  },
};

async function compare(keys: number, slices: number): Promise<string> {
  const traffic = load(keys, slices * DECISIONS_A_SLICE);
  const empty = await settledBytes();
  const plain = mapSubject();
  prime(plain, traffic);
  const withMap = await settledBytes();
  const sluice = engineSubject(keys);
  prime(sluice, traffic);
  // From here to the end of the race nothing waits: idle keys would give back what they are measured with.
  const held = usedBytes();
  const [engineNs = 0, mapNs = 0] = race([sluice, plain], traffic, slices);
  const allocated = [sluice, plain].map((subject) => bytesADecision(subject, traffic).toFixed(0));
  const { tableBytes } = sluice.stats();
  // Idle keys give their permits back, and then nothing is left of them but the table.
  while (sluice.stats().returned < keys) await new Promise((resolve) => setTimeout(resolve, 50));
  const idle = await settledBytes();
  await Promise.all([sluice.close(), plain.close()]);
  const perKey = (bytes: number, width: number): string => (bytes / keys).toFixed(0).padStart(width);
  return [
    String(keys).padEnd(9),
    engineNs.toFixed(0).padStart(8),
    mapNs.toFixed(0).padStart(5),
    (engineNs / mapNs).toFixed(2).padStart(5),
    ...allocated.map((bytes, at) => bytes.padStart(at === 0 ? 8 : 5)),
    perKey(tableBytes, 7),
    perKey(held - withMap, 28),
    perKey(idle - withMap, 25),
    perKey(withMap - empty, 5),
  ].join(' ');
}
