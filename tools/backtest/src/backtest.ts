import { createReplay, type ReplayReport } from '@sluice/replay';
import type { Options } from './options.js';
import type { Progress } from './progress.js';
import type { TriedRules } from './read-rules.js';
import { openLog } from './records/open-log.js';
import { Reorder } from './reorder.js';
import { RequestReader } from './request-reader.js';
import { InputFault } from './usage-fault.js';

/** What came of it. */
export interface Outcome {
  readonly report: ReplayReport;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** Lines that were not read. */
  readonly badLines: number;
  readonly elapsedMs: number;
}

/** Faults named before the run ends. */
const MOST_FAULTS = 20;

/**
 * Streams the logs through a replay.
 *
 * @throws InputFault with the lines that cannot be read
 */
export async function backtest({ snapshot }: TriedRules, options: Options, progress: Progress): Promise<Outcome> {
  const startedMs = performance.now();
  const replay = createReplay({ rules: snapshot });
  const reader = new RequestReader(options.columns, options.attributes);
  const reorder = new Reorder(options.reorderMs);
  const faults: string[] = [];
  let badLines = 0;
  let requests = 0;
  let fromMs = Infinity;
  let toMs = -Infinity;
  const drain = (all: boolean): void => {
    for (let next = reorder.next(all); next !== undefined; next = reorder.next(all)) {
      replay.decide(next);
      requests += 1;
    }
  };
  for (const name of options.logs) {
    const log = await openLog(name, options.format);
    for await (const lines of log.lines) {
      for (const line of lines) {
        const read = 'fault' in line ? line : reader.read(line.fields);
        if ('fault' in read) {
          badLines += 1;
          if (!options.skipBad) faults.push(`${name === '-' ? 'stdin' : name}:${line.line} ${read.fault}`);
          if (faults.length >= MOST_FAULTS) throw new InputFault([...faults, 'and perhaps more; --skip-bad counts them instead'].join('\n'));
          continue;
        }
        fromMs = Math.min(fromMs, read.request.atMs);
        toMs = Math.max(toMs, read.request.atMs);
        reorder.push(read.request);
        drain(false);
      }
      progress.show(() => ({ share: log.bytes === undefined ? undefined : Math.min(1, log.bytesRead() / Math.max(1, log.bytes)), requests }));
    }
  }
  drain(true);
  progress.clear();
  if (faults.length > 0) throw new InputFault(faults.join('\n'));
  const known = requests > 0;
  return { report: replay.report({ top: options.top }), fromMs: known ? fromMs : undefined, toMs: known ? toMs : undefined, badLines, elapsedMs: performance.now() - startedMs };
}
