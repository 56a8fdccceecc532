import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter, fixedLeases, type Limiter } from '@sluice/limiter';
import { compileSnapshot } from '@sluice/rules';
import { createSnapshotClient } from '@sluice/snapshot-client';
import type { Benchmark } from '../benchmark.js';
import { median } from '../cold/measure.js';
import { GrantingStore } from '../engine/granting-store.js';
import { verdict } from '../verdict.js';
import { ruleSetAt } from './rule-set.js';
import { type SnapshotServer, startServer } from './start-server.js';
import { measureSteps } from './steps.js';
import { type Stretch, Watch } from './watch.js';

/** Of the event loop, the median of the longest of each swap. */
const LONGEST_PAUSE_MS = 10;

/** After the swap: the copy on disk is written, and the first requests meet the new rules. */
const AFTERMATH_MS = 250;

export const swap: Benchmark = {
  name: 'swap',
  about: 'the longest pause of the event loop while new rules are taken in, 5,000 of them and 10,000 overrides',
  async run({ short, print }) {
    const rounds = short ? 7 : 25;
    const limiter = createLimiter({ store: new GrantingStore(), rules: compileSnapshot(ruleSetAt(0)), sizing: fixedLeases(1_000_000) });
    const watch = new Watch(limiter);
    const server = await startServer();
    try {
      print('ms, medians over the rounds (worst); a pause is without the time that the thread waited for a processor');
      print('step            at once: pause         in slices: pause       all of it');
      for (const { name, atOnceMs, slicedMs, totalMs } of await measureSteps(watch, rounds)) {
        print(`${name.padEnd(15)} ${cell(atOnceMs, 14)} ${cell(slicedMs, 22)} ${cell(totalMs, 15)}`);
      }
      print('');
      print('through the client   pause           by the clock    decision        collector       asked to in force   KB     heap MB');
      print(line('nothing new', await idle(watch, rounds)));
      const versions = new Versions();
      const verdicts: string[] = [];
      for (const body of ['whole', 'changes'] as const) {
        for (const [how, sliceMs] of [['in slices', 2], ['at once', Infinity]] as const) {
          const runs = await swaps({ watch, server, limiter, versions, rounds, body, sliceMs });
          print(line(`${body}, ${how}`, runs));
          const pausesMs = runs.map(({ pauseMs }) => pauseMs);
          // As nodes do it.
          if (how === 'in slices') verdicts.push(`${body}, ${how}: ${verdict(`a pause of at most ${LONGEST_PAUSE_MS} ms`, pausesMs, (ms) => ms <= LONGEST_PAUSE_MS)}`);
        }
      }
      print('');
      for (const said of verdicts) print(said);
    } finally {
      server.stop();
      watch.close();
      await limiter.close();
    }
  },
};

interface Run extends Stretch {
  readonly appliedMs?: number;
  readonly bytes?: number;
  readonly heapMb: number;
}

/** Versions go on over all runs, as nodes take none back. */
class Versions {
  private last = 0;

  next(): number {
    this.last += 1;
    return this.last;
  }
}

async function idle(watch: Watch, rounds: number): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const stretch = await watch.during(() => sleep(2 * AFTERMATH_MS));
    runs.push({ ...stretch, heapMb: heapMb() });
  }
  return runs;
}

interface Swaps {
  readonly watch: Watch;
  readonly server: SnapshotServer;
  readonly limiter: Limiter;
  readonly versions: Versions;
  readonly rounds: number;
  readonly body: 'whole' | 'changes';
  readonly sliceMs: number;
}

/** A client that is woken for one version after the other, with a copy on disk as nodes have. */
async function swaps({ watch, server, limiter, versions, rounds, body, sliceMs }: Swaps): Promise<readonly Run[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-swap-'));
  let applied: () => void = () => undefined;
  let failed: (reason: Error) => void = () => undefined;
  const client = createSnapshotClient({
    url: server.url,
    pollMs: 3_600_000,
    wakeSpreadMs: 0,
    timeoutMs: 60_000,
    sliceMs,
    copyFile: join(folder, 'snapshot.json'),
    onSnapshot: (index) => limiter.use(index),
    onApplied: () => applied(),
    onError: (reason) => failed(new Error(reason)),
    onRefused: (reason) => failed(new Error(reason)),
  });
  const runs: Run[] = [];
  await server.serve({ version: versions.next(), body: 'whole' });
  await client.start();
  await sleep(AFTERMATH_MS);
  for (let round = 0; round < rounds; round += 1) {
    const version = versions.next();
    const bytes = await server.serve({ version, body });
    let appliedMs = 0;
    const stretch = await watch.during(async () => {
      const inForce = new Promise<void>((resolve, reject) => {
        applied = resolve;
        failed = reject;
      });
      const startMs = performance.now();
      client.wake(version);
      await inForce;
      appliedMs = performance.now() - startMs;
      await sleep(AFTERMATH_MS);
    });
    runs.push({ ...stretch, appliedMs, bytes, heapMb: heapMb() });
  }
  const { polls } = client.status();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
  const taken = body === 'whole' ? polls.whole - 1 : polls.delta;
  if (taken !== rounds) throw new Error(`only ${taken} of ${rounds} came as ${body}`);
  return runs;
}

function line(name: string, runs: readonly Run[]): string {
  const of = (read: (run: Run) => number | undefined): readonly number[] => runs.flatMap((run) => read(run) ?? []);
  const bytes = of((run) => run.bytes);
  const cells = [of((run) => run.pauseMs), of((run) => run.gapMs), of((run) => run.decisionMs), of((run) => run.collectionMs), of((run) => run.appliedMs)].map((values) => cell(values, 15));
  return `${name.padEnd(20)} ${cells.join(' ')}    ${(bytes.length === 0 ? '' : (median(bytes) / 1024).toFixed(0)).padStart(5)} ${Math.max(...of((run) => run.heapMb)).toFixed(0).padStart(9)}`;
}

function cell(values: readonly number[], width: number): string {
  return (values.length === 0 ? '' : `${median(values).toFixed(1)} (${Math.max(...values).toFixed(1)})`).padEnd(width);
}

function heapMb(): number {
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
