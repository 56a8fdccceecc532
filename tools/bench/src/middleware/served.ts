import { pin } from '../redis/pin.js';
import type { Framework } from './app.js';
import { type Variant, VARIANTS } from './app-variants.js';
import { Connections } from './connections.js';
import { type AppServer, type CpuTime, startAppServer } from './start-app-server.js';

/** Requests to each variant before it counts. */
const WARMED = 10_000;

/** There and back, so that a drift of the machine falls on all alike. */
const ORDER: readonly Variant[] = [...VARIANTS, ...VARIANTS.toReversed()];

/** Processor time of the server for a request, by variant. */
export type Round = ReadonlyMap<Variant, CpuTime>;

export interface Served {
  readonly isPinned: boolean;
  readonly rounds: readonly Round[];
}

export interface ServedLoad {
  readonly connections: number;
  /** One after the other: what V8 makes of the same code differs from process to process by more than a skin costs. */
  readonly processes: number;
  /** Of each process. */
  readonly rounds: number;
  readonly requestsATurn: number;
}

/** Serves the variants of an app over sockets, from processes of their own, in turns of equal requests. */
export async function measureServed(framework: Framework, load: ServedLoad): Promise<Served> {
  const figures: Served[] = [];
  while (figures.length < load.processes) figures.push(await measureProcess(framework, load));
  return { isPinned: figures.every(({ isPinned }) => isPinned), rounds: figures.flatMap(({ rounds }) => rounds) };
}

async function measureProcess(framework: Framework, { connections, rounds, requestsATurn }: ServedLoad): Promise<Served> {
  const server = await startAppServer(framework);
  const opened = new Map<Variant, Connections>();
  try {
    for (const variant of VARIANTS) opened.set(variant, await Connections.open(server.portOf(variant), connections));
    const isPinned = pin(server.pid, 0) && pin(process.pid, 1);
    const round = async (): Promise<Round> => {
      const sums = new Map<Variant, CpuTime>();
      for (const variant of ORDER) {
        const { userUs, systemUs } = await turn(server, opened.get(variant), requestsATurn);
        const sum = sums.get(variant);
        sums.set(variant, { userUs: (sum?.userUs ?? 0) + userUs / 2, systemUs: (sum?.systemUs ?? 0) + systemUs / 2 });
      }
      return sums;
    };
    for (let warmed = 0; warmed < WARMED; warmed += requestsATurn) await round();
    const figures: Round[] = [];
    while (figures.length < rounds) figures.push(await round());
    return { isPinned, rounds: figures };
  } finally {
    for (const each of opened.values()) each.close();
    server.stop();
  }
}

async function turn(server: AppServer, connections: Connections | undefined, requests: number): Promise<CpuTime> {
  const before = await server.usedCpu();
  await connections?.ask(requests);
  const after = await server.usedCpu();
  return { userUs: (after.userUs - before.userUs) / requests, systemUs: (after.systemUs - before.systemUs) / requests };
}
