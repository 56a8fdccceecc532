import type { Benchmark } from '../benchmark.js';
import { benchRedis, type BenchRedis } from '../redis/bench-redis.js';
import { measure, median, type Figures } from './measure.js';
import { bareSubject, exactSubject, leasedSubject, type Subject } from './subject.js';

const CONCURRENCY = [1, 32, 256];
const FIELDS = ['perSecond', 'p50Us', 'p99Us', 'clientUs', 'serverUs', 'bytes'] as const;
/** Calls before anything counts, so that what is measured has been compiled. */
const WARM_UP = 30_000;

export const cold: Benchmark = {
  name: 'cold',
  about: 'a decision that needs a trip to Redis, beside the bare EVALSHA of the same script by the same client',
  async run({ short, print }) {
    const redis = await benchRedis();
    // Short turns and many of them, so that both sides of a ratio meet the same machine.
    const rounds = short ? 15 : 25;
    const callsAt = (concurrency: number): number => (short ? 4_000 : 10_000) * (concurrency === 1 ? 0.25 : 1);
    const all = KNOWN_CALLERS + CONCURRENCY.reduce((sum, concurrency) => sum + WARM_UP + callsAt(concurrency) * rounds, 0);
    const subjects = [await bareSubject(redis.url), await exactSubject(redis.url, all), await leasedSubject(redis.url, all)] as const;
    const callers = new Callers();
    print(redis.about);
    print('in flight  what                          per s   p50 µs   p99 µs   client µs   server µs   bytes   against bare: rate   p50    p99   client   bytes');
    try {
      for (const concurrency of CONCURRENCY) {
        for (const subject of subjects) await measure(subject, redis, subject.firstTouch ? callers.fresh(WARM_UP) : callers.known(WARM_UP), concurrency);
        globalThis.gc?.();
        const runs = await takeTurns(subjects, redis, callers, { rounds, concurrency, calls: callsAt(concurrency) });
        const bare = runs.get(subjects[0]) ?? [];
        for (const [subject, figures] of runs) print(line(concurrency, subject, figures, subject === subjects[0] ? undefined : bare));
      }
    } finally {
      for (const subject of subjects) await subject.close();
      await redis.stop();
    }
  },
};

const KNOWN_CALLERS = 100_000;

/** Callers of a run: again and again the same, or such as were never seen before. */
class Callers {
  private used = KNOWN_CALLERS;
  private state = 0x9e3779b9;

  known(count: number): string[] {
    return Array.from({ length: count }, () => {
      this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
      return nameOf(Math.floor((this.state / 2 ** 32) * KNOWN_CALLERS));
    });
  }

  fresh(count: number): string[] {
    this.used += count;
    return Array.from({ length: count }, (_, at) => nameOf(this.used - count + at));
  }
}

function nameOf(caller: number): string {
  return `key_${caller.toString(36).padStart(6, '0')}`;
}

/** Subjects take turns, so that what else the machine does meanwhile falls on all of them. */
async function takeTurns(
  subjects: readonly Subject[],
  redis: BenchRedis,
  callers: Callers,
  { rounds, concurrency, calls }: { readonly rounds: number; readonly concurrency: number; readonly calls: number },
): Promise<ReadonlyMap<Subject, Figures[]>> {
  const runs = new Map<Subject, Figures[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    await redis.flush();
    const known = callers.known(calls);
    const fresh = callers.fresh(calls);
    for (const [subject, figures] of runs) figures.push(await measure(subject, redis, subject.firstTouch ? fresh : known, concurrency));
  }
  return runs;
}

/** Medians over the rounds; of the ratios too, each of which is of two runs that followed one another. */
function line(concurrency: number, { name }: Subject, figures: readonly Figures[], bare: readonly Figures[] | undefined): string {
  const [perSecond = 0, p50 = 0, p99 = 0, client = 0, server = 0, bytes = 0] = FIELDS.map((field) => median(figures.map((one) => one[field])));
  const cells = [
    String(concurrency).padStart(9),
    ` ${name.padEnd(28)}`,
    perSecond.toFixed(0).padStart(7),
    p50.toFixed(0).padStart(8),
    p99.toFixed(0).padStart(8),
    client.toFixed(1).padStart(11),
    server.toFixed(1).padStart(11),
    bytes.toFixed(0).padStart(7),
  ];
  if (bare === undefined) return cells.join(' ');
  const against = (field: (typeof FIELDS)[number]): string => median(figures.map((one, at) => one[field] / (bare[at]?.[field] ?? Number.NaN))).toFixed(2);
  return [...cells, against('perSecond').padStart(20), against('p50Us').padStart(5), against('p99Us').padStart(6), against('clientUs').padStart(8), against('bytes').padStart(7)].join(' ');
}
