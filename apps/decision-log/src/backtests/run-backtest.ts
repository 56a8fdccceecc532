import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { attributesNamedBy, createReplay, type Replay, type RequestColumns } from '@sluice/replay';
import { compileSnapshotSteps, inSlices, type Snapshot } from '@sluice/rules';
import type { DecisionStore } from '../store/decision-store.js';
import type { Backtest } from './backtest.js';
import { inOrder } from './in-order.js';

/** How long it keeps the thread that answers queries and feeds the sink, ms. */
const SLICE_MS = 2;
/** Decisions between two looks at the clock. */
const BATCH = 128;
/** Names that sums are kept for, each of plans, endpoints and keys: some 200 bytes each, as a counter has. */
const MOST_NAMES = 200_000;
/** Counters of all rules together: some 200 bytes each. */
const MOST_COUNTERS = 2_000_000;

/** The replay needs more memory than it may have. */
export class TooManyCounters extends Error {
  override readonly name = 'TooManyCounters';
}

/**
 * Replays what the store holds, in slices of 2 ms beside everything else that the process does. Ends early when it is cancelled.
 *
 * @throws StoreUnavailable, QueryTooLarge, TooManyCounters
 */
export async function runBacktest(backtest: Backtest, store: DecisionStore): Promise<void> {
  const { filter, snapshot } = backtest.plan;
  const replay = createReplay({ rules: await inSlices(compileSnapshotSteps(snapshot)), snapshot, mostNames: MOST_NAMES, mostCounters: MOST_COUNTERS });
  backtest.report = () => replay.report();
  const startedMs = performance.now();
  let events = 0;
  for await (const chunk of inOrder(store.scanColumns({ ...filter, kinds: ['decision'] }, attributesFor(snapshot)))) {
    await decideAll(replay, chunk, backtest.signal);
    if (backtest.signal.aborted) return;
    if (replay.counters > MOST_COUNTERS) throw new TooManyCounters(`more than ${MOST_COUNTERS} counters are in use at once`);
    events += chunk.length;
    const share = ((chunk.atMs[chunk.length - 1] ?? filter.fromMs) + 1 - filter.fromMs) / (filter.toMs - filter.fromMs);
    backtest.progress = { share, events, eventsPerSecond: Math.round((events / Math.max(1, performance.now() - startedMs)) * 1_000) };
  }
  backtest.progress = { ...backtest.progress, share: 1 };
}

/** What its rules look at, and what sums are made by. */
function attributesFor(snapshot: Snapshot): ReadonlySet<string> {
  const { matched, counted } = attributesNamedBy(snapshot);
  return new Set([...matched, ...counted, 'plan', 'endpoint', 'key_id', 'tenant_id', 'ip']);
}

async function decideAll(replay: Replay, columns: RequestColumns, signal: AbortSignal): Promise<void> {
  let startedMs = performance.now();
  for (let from = 0; from < columns.length; from += BATCH) {
    replay.decideColumns(columns, from, Math.min(columns.length, from + BATCH));
    if (performance.now() - startedMs < SLICE_MS) continue;
    await turnOfOthers();
    if (signal.aborted) return;
    startedMs = performance.now();
  }
}
