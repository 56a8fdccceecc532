import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '../store/duckdb/hours.js';
import { openDuckDbStore } from '../store/duckdb/open-duckdb-store.js';
import { makeHistory } from './make-history.js';
import { type Latency, measureFind, measureTop, measureUsage } from './measure-asking.js';
import { measureWriting } from './measure-writing.js';

// What the embedded store can do on this machine: `node dist/measure/main.js [--short]`, which `npm run bench -- sink` starts.
const short = process.argv.includes('--short');
const RETENTION_MS = 3_650 * 24 * HOUR_MS;
/** 2026-11-30T00:00Z. */
const FIRST_HOUR_MS = 1_795_996_800_000;
/** The last hour is as one of a day of 100M events in the full form. */
const HOURS = short ? [100_000, 100_000, 100_000, 100_000, 600_000] : [...Array.from({ length: 12 }, () => 500_000), 4_200_000];

const folder = await mkdtemp(join(tmpdir(), 'sluice-measure-'));
try {
  await writing(join(folder, 'writing'));
  await asking(join(folder, 'asking'));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writing(dir: string): Promise<void> {
  const store = await openDuckDbStore({ dir, retentionMs: RETENTION_MS, threads: 1 });
  const events = short ? 40_000 : 300_000;
  let from = 0;
  // The first one warms up.
  for (const batch of [2_000, 2_000, 10_000, 20_000]) {
    const { decodeCpu, writeCpu, wall } = await measureWriting(store, { from, events, batch, firstMs: FIRST_HOUR_MS });
    if (from > 0) {
      print(`write, batches of ${String(batch)}: ${rate(decodeCpu + writeCpu)} on one core (decode ${decodeCpu.toFixed(1)} µs, store ${writeCpu.toFixed(1)} µs of processor an event); ${rate(wall)} by the clock`);
    }
    from += events;
  }
  const startedMs = performance.now();
  await store.tend(FIRST_HOUR_MS + 3 * HOUR_MS);
  print(`written out and compressed: ${rate(((performance.now() - startedMs) * 1_000) / from)} by the clock`);
  await store.close();
}

async function asking(dir: string): Promise<void> {
  const startedMs = performance.now();
  const hours = await makeHistory(dir, FIRST_HOUR_MS, HOURS);
  const events = hours.reduce((sum, { rows }) => sum + rows, 0);
  const bytes = hours.reduce((sum, part) => sum + part.bytes, 0);
  print(`history of ${String(events)} events in ${String(hours.length)} hours, made in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s: ${(bytes / events).toFixed(1)} bytes an event`);
  const store = await openDuckDbStore({ dir, retentionMs: RETENTION_MS });
  const rounds = short ? 30 : 200;
  const [small] = hours;
  const large = hours.at(-1);
  if (small === undefined || large === undefined) return;
  for (const hour of [small, large]) {
    print(`explain (one key, 10 min) of an hour of ${String(hour.rows)}: ${said(await measureFind(store, hour, rounds))}; reads ${hour.rowGroupsOfAKey.toFixed(1)} of ${String(hour.rowGroups)} row groups of 1 part of ${String(hours.length)}`);
  }
  print(`usage of one key by rule and minute, all ${String(hours.length)} hours: ${said(await measureUsage(store, hours, Math.ceil(rounds / 4)))}`);
  print(`top 20 keys by refusals of the ${String(large.rows)} of one hour: ${said(await measureTop(store, large, short ? 3 : 10))}`);
  await store.close();
}

function rate(us: number): string {
  return `${(1_000 / us).toFixed(0)}k events/s`;
}

function said({ p50, p99 }: Latency): string {
  return `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
}

function print(line: string): void {
  console.log(`  ${line}`);
}
