import type { Benchmark } from '../benchmark.js';
import { median } from '../cold/measure.js';
import { benchRedis } from '../redis/bench-redis.js';
import { allCold, bareCalls, mostlyLocal, type Mix } from './mixes.js';
import { Disturbances, type Disturbance } from './disturbances.js';
import { openLoop, type Waits } from './open-loop.js';

const LOAD = 0.5;
/** So many runs; each column shows the median of them. */
const RUNS = 5;

export const latency: Benchmark = {
  name: 'latency',
  about: 'how long decisions take at half of what one node on one processor can bear, Redis at hand and well',
  async run({ short, print }) {
    const redis = await benchRedis();
    print(`${redis.about}; waits are counted from the moment at which a request was due`);
    print('requests              local    saturated per s   made per s    p50 µs    p99 µs   p99.9 µs   worst µs   off the processor   server waited   collections: per s, longest ms');
    try {
      for (const open of [mostlyLocal, allCold, bareCalls]) {
        await redis.flush();
        const mix = await open(redis.url);
        const seconds = short ? 0.5 : 4;
        const { perSecond } = await saturate(mix, short ? 2 : 4);
        const runs: (Waits & Disturbance)[] = [];
        for (let run = 0; run < RUNS; run += 1) {
          const disturbances = new Disturbances(redis.pid);
          const waits = await openLoop(mix.request, Math.ceil(perSecond * LOAD * seconds), (perSecond * LOAD) / 1000);
          runs.push({ ...waits, ...(await disturbances.end()) });
        }
        print(line(mix, perSecond, runs));
        await mix.close();
      }
    } finally {
      await redis.stop();
    }
  },
};

/** The first run warms up, and what is made in it says how long the next ones are. */
async function saturate({ request }: Mix, rounds: number): Promise<{ perSecond: number }> {
  const rates: number[] = [];
  let count = 50_000;
  for (let round = 0; round <= rounds; round += 1) {
    const { perSecond } = await openLoop(request, count, undefined);
    if (round > 0) rates.push(perSecond);
    count = Math.ceil(perSecond / 2);
  }
  return { perSecond: median(rates) };
}

function line(mix: Mix, saturated: number, runs: readonly (Waits & Disturbance)[]): string {
  const at = (share: number): string => (median(runs.map(({ ms }) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0)) * 1000).toFixed(0);
  return [
    mix.name.padEnd(20),
    `${(mix.localShare() * 100).toFixed(1)} %`.padStart(7),
    saturated.toFixed(0).padStart(17),
    median(runs.map(({ perSecond }) => perSecond)).toFixed(0).padStart(12),
    at(0.5).padStart(9),
    at(0.99).padStart(9),
    at(0.999).padStart(10),
    at(1).padStart(10),
    `${(median(runs.map(({ offShare }) => offShare)) * 100).toFixed(1)} %`.padStart(19),
    `${(median(runs.map(({ serverWaitedShare }) => serverWaitedShare)) * 100).toFixed(1)} %`.padStart(15),
    median(runs.map(({ collectionsPerSecond }) => collectionsPerSecond)).toFixed(1).padStart(20),
    median(runs.map(({ longestCollectionMs }) => longestCollectionMs)).toFixed(2).padStart(9),
  ].join(' ');
}
