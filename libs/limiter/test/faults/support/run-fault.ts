import { setTimeout as sleep } from 'node:timers/promises';
import { readCharged, readLifetimes } from './counters.js';
import { bySource, latencyOf, mostInASecond, type BySource, type Latency } from './figures.js';
import { NodeApart } from './node-apart.js';
import { isTroubled, type Sample } from './sample.js';
import { STREAMS, type Stream } from './streams.js';
import { TrafficNode, type FaultNode, type NodeReport, type NodeSettings } from './traffic-node.js';

export interface Fault {
  /** As the line of figures calls it. */
  readonly name: string;
  /** Where the nodes find the store, and where the test does, if not there. */
  readonly url: string;
  readonly directUrls?: readonly string[];
  readonly timeoutMs?: number;
  readonly keys?: readonly string[];
  /** Brings the fault about, lets it last, and ends it; resolves when the store is whole again. */
  readonly happen: (moment: Moment) => Promise<void>;
  /** The nodes start with it: they do not wait for the store. */
  readonly fromTheStart?: boolean;
}

/** What a fault may tell of itself. */
export interface Moment {
  /** The counters were lost just now, of all keys or of the first few: what was charged before is not there any more. */
  countersLost(keys?: number): void;
}

export interface FaultReport {
  readonly name: string;
  readonly timeoutMs: number;
  /** How long the fault lasted. */
  readonly faultMs: number;
  readonly nodes: readonly NodeReport[];
  readonly samples: readonly Sample[];
  /** From the begin of the fault until all is well again. */
  readonly latency: Latency;
  readonly sources: BySource;
  /** Permits charged in the store that nobody was given, and given that are not charged; after a loss of counters: since then. */
  readonly lost: number;
  readonly doubled: number;
  /** Of the lost ones those of counters without leases. */
  readonly lostUnleased: number;
  /** From the end of the fault to the last decision that lacked the store, ms. */
  readonly recoveredMs: number;
  readonly lagMs: number;
  readonly keys: number;
  readonly immortal: readonly string[];
  readonly longestTtlMs: number;
  readonly mostByStore: number;
  readonly mostByFallback: number;
}

const NODES_HERE = 2;
const FLEET = NODES_HERE + 1;
const WARM_MS = 600;
/** The fault is over when every decision has had its store for this long. */
const HEALTHY_MS = 500;
const GIVE_UP_MS = 20_000;
const KEYS = ['k0', 'k1', 'k2', 'k3'];

/** Runs a fleet of three nodes, one of them in a process of its own, through a fault, with traffic throughout, and prints one line of figures. */
export async function runFault(fault: Fault): Promise<FaultReport> {
  const { url, timeoutMs = 50, keys = KEYS, fromTheStart = false } = fault;
  const nodes = await openFleet({ url, timeoutMs, keys, fleetSize: FLEET }, !fromTheStart);
  let loss = { atMs: 0, keys: 0 };
  let [beganMs, endedMs, wellMs] = [0, 0, 0];
  let reports: readonly NodeReport[];
  try {
    await Promise.all(nodes.map((node) => node.start()));
    if (!fromTheStart) await sleep(WARM_MS);
    beganMs = Date.now();
    await fault.happen({ countersLost: (lost = keys.length) => void (loss = { atMs: Date.now(), keys: lost }) });
    endedMs = Date.now();
    await untilHealthy(nodes);
    wellMs = Date.now();
  } finally {
    reports = await Promise.all(nodes.map((node) => node.stop()));
  }
  const samples = reports.flatMap((report) => report.samples);
  const during = samples.filter(({ atMs }) => atMs >= beganMs && atMs <= wellMs);
  const troubled = during.filter((sample) => isTroubled(sample) && sample.atMs > endedMs).map(({ atMs }) => atMs - endedMs);
  const tight = samples.filter(({ stream }) => STREAMS[stream]?.name === 'tight');
  const report: FaultReport = {
    name: fault.name,
    timeoutMs,
    faultMs: endedMs - beganMs,
    nodes: reports,
    samples,
    latency: latencyOf(during),
    sources: bySource(during),
    ...balance(samples.filter(({ atMs, key }) => key >= loss.keys || atMs >= loss.atMs), await readCharged(fault.directUrls?.join(',') ?? url, keys)),
    recoveredMs: Math.max(0, ...troubled),
    lagMs: Math.max(...reports.map(({ lagMs }) => lagMs)),
    ...(await lifetimes(fault.directUrls ?? url.split(','))),
    mostByStore: mostInASecond(tight.filter((sample) => !isTroubled(sample))),
    mostByFallback: mostInASecond(tight.filter(isTroubled)),
  };
  process.stdout.write(`${lineOf(report, during.length)}\n`);
  return report;
}

async function openFleet(settings: NodeSettings, wait: boolean): Promise<readonly FaultNode[]> {
  const opening: Promise<FaultNode>[] = Array.from({ length: NODES_HERE }, () => TrafficNode.open(settings, wait));
  const opened = await Promise.allSettled([...opening, NodeApart.open(settings, wait)]);
  const nodes = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = opened.find((result) => result.status === 'rejected');
  if (failure === undefined) return nodes;
  await Promise.all(nodes.map((node) => node.stop()));
  throw failure.reason;
}

async function untilHealthy(nodes: readonly FaultNode[]): Promise<void> {
  const fromMs = performance.now();
  for (;;) {
    await sleep(50);
    const healthy = await Promise.all(nodes.map((node) => node.healthyMs()));
    if (Math.min(...healthy) >= HEALTHY_MS && performance.now() - fromMs >= HEALTHY_MS) return;
    if (performance.now() - fromMs > GIVE_UP_MS) throw new Error(`not recovered ${GIVE_UP_MS} ms after the fault`);
  }
}

function balance(samples: readonly Sample[], charged: readonly (readonly number[])[]): Pick<FaultReport, 'lost' | 'doubled' | 'lostUnleased'> {
  const rest = charged.map((row) => [...row]);
  for (const { stream, key, charged: amount } of samples) {
    const row = rest[stream];
    if (row !== undefined) row[key] = (row[key] ?? 0) - amount;
  }
  const sum = (of: (stream: Stream) => boolean, sign: number): number =>
    rest.flatMap((row, at) => (STREAMS[at] !== undefined && of(STREAMS[at]) ? row : [])).reduce((total, each) => total + Math.max(0, each * sign), 0);
  return {
    lost: sum(({ accounted }) => accounted, 1),
    doubled: sum(({ accounted }) => accounted, -1),
    lostUnleased: sum(({ accounted, name }) => accounted && name !== 'leased', 1),
  };
}

async function lifetimes(urls: readonly string[]): Promise<Pick<FaultReport, 'keys' | 'immortal' | 'longestTtlMs'>> {
  const found = await Promise.all(urls.map((each) => readLifetimes(each).catch(() => ({ keys: 0, immortal: [], longestMs: 0 }))));
  return {
    keys: found.reduce((sum, { keys }) => sum + keys, 0),
    immortal: found.flatMap(({ immortal }) => immortal),
    longestTtlMs: Math.max(...found.map(({ longestMs }) => longestMs)),
  };
}

function lineOf({ name, latency: { p50, p99, worst }, sources, lost, lostUnleased, doubled, recoveredMs, lagMs }: FaultReport, decisions: number): string {
  const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
  return [
    `fault: ${name}`,
    `${decisions} decisions p50 ${ms(p50)} p99 ${ms(p99)} worst ${ms(worst)} ms (event loop late by ${ms(lagMs)})`,
    `local ${sources.local} store ${sources.store} fallback ${sources.fallback} refused 503 ${sources.unavailable}`,
    `permits lost ${lost} (unleased ${lostUnleased}) doubled ${doubled}`,
    `recovered after ${ms(recoveredMs)} ms`,
  ].join(' | ');
}
