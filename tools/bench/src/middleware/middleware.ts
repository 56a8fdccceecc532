import type { Benchmark } from '../benchmark.js';
import { median } from '../cold/measure.js';
import { verdict } from '../verdict.js';
import { buildApp, type Framework, FRAMEWORKS } from './app.js';
import { type Variant, VARIANTS } from './app-variants.js';
import { medianInterval } from './median-interval.js';
import { requestLoop } from './request-loop.js';
import { measureServed, type Round } from './served.js';
import type { CpuTime } from './start-app-server.js';

const MOST_ADDED_US = 5;
const CONNECTIONS = 32;

type Print = (line: string) => void;

export const middleware: Benchmark = {
  name: 'middleware',
  about: `what a skin adds to a request of Express and Fastify that is decided from a local lease: goal at most ${MOST_ADDED_US} µs`,
  async run({ short, print }) {
    for (const framework of FRAMEWORKS) await printLoop(framework, short ? 12 : 50, print);
    for (const framework of FRAMEWORKS) await printServed(framework, short, print);
  },
};

async function printLoop(framework: Framework, slices: number, print: Print): Promise<void> {
  const figures = requestLoop(await Promise.all(VARIANTS.map((variant) => buildApp(framework, variant))), slices);
  const usOf = (variant: Variant): readonly number[] => (figures[VARIANTS.indexOf(variant)] ?? []).map((ns) => ns / 1_000);
  const [bare, fields, limited] = [usOf('bare'), usOf('fields'), usOf('limited')];
  const added = limited.map((us, slice) => us - (bare[slice] ?? Number.NaN));
  print(`${framework}, no sockets, µs of the thread: bare ${median(bare).toFixed(1)}, with the key read and five fixed fields ${median(fields).toFixed(1)}, with the skin ${median(limited).toFixed(1)}`);
  print(`  added: ${interval(added)}   ${verdict(`at most ${MOST_ADDED_US}`, added, (us) => us <= MOST_ADDED_US)}`);
}

async function printServed(framework: Framework, short: boolean, print: Print): Promise<void> {
  const { isPinned, rounds } = await measureServed(framework, { connections: CONNECTIONS, processes: short ? 2 : 6, rounds: short ? 8 : 16, requestsATurn: short ? 1_200 : 3_000 });
  print(`${framework} over ${CONNECTIONS} connections, ${isPinned ? 'server on one processor, loader on the other' : 'processors not pinned'}, µs of the whole server:`);
  printRounds('user', rounds, ({ userUs }) => userUs, print);
  printRounds('user and kernel', rounds, ({ userUs, systemUs }) => userUs + systemUs, print);
}

function printRounds(what: string, rounds: readonly Round[], usOf: (cpu: CpuTime) => number, print: Print): void {
  const of = (round: Round, variant: Variant): number => usOf(round.get(variant) ?? { userUs: Number.NaN, systemUs: Number.NaN });
  const each = VARIANTS.map((variant) => `${variant} ${median(rounds.map((round) => of(round, variant))).toFixed(1)}`);
  const added = rounds.map((round) => of(round, 'limited') - of(round, 'bare'));
  print(`  ${what}: ${each.join(', ')}`);
  print(`    added: ${interval(added)}, of which key and fields alone ${interval(rounds.map((round) => of(round, 'fields') - of(round, 'bare')))}`);
  print(`    ${verdict(`at most ${MOST_ADDED_US}`, added, (us) => us <= MOST_ADDED_US)}`);
}

/** Median, its interval, and the mean, in which a rare collection counts. */
function interval(us: readonly number[]): string {
  const { median: middle, low, high } = medianInterval(us);
  const mean = us.reduce((sum, each) => sum + each, 0) / us.length;
  return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}, mean ${mean.toFixed(2)})`;
}
