import { createReplay, type ReplayReport } from '@sluice/replay';
import type { LogCursor } from './log-cursor.js';
import { LogMerge } from './log-merge.js';
import type { Options } from './options.js';
import type { Progress } from './progress.js';
import type { TriedRules } from './read-rules.js';
import { openLog, type OpenLog } from './records/open-log.js';
import type { Line } from './records/record.js';
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
/** What is read at once, of all logs together. */
const READ_BYTES = 8_388_608;
const CHUNK_BYTES = { least: 16_384, most: 262_144 } as const;

/**
 * Streams the logs through a replay, merged by time.
 *
 * @throws InputFault with the lines that cannot be read
 */
export async function backtest({ snapshot }: TriedRules, options: Options, progress: Progress): Promise<Outcome> {
  const startedMs = performance.now();
  const replay = createReplay({ rules: snapshot });
  const reader = new RequestReader(options.columns, options.attributes);
  const reorder = new Reorder();
  const faults: string[] = [];
  let badLines = 0;
  let requests = 0;
  let fromMs = Infinity;
  let toMs = -Infinity;
  const chunkBytes = Math.max(CHUNK_BYTES.least, Math.min(CHUNK_BYTES.most, Math.floor(READ_BYTES / options.logs.length)));
  const logs = await Promise.all(options.logs.map((path) => openLog(path, { format: options.format, timeColumn: reader.timeColumn, chunkBytes })));
  const merge = new LogMerge(logs);
  const drain = (untilMs: number): void => {
    for (let next = reorder.next(untilMs); next !== undefined; next = reorder.next(untilMs)) {
      replay.decide(next);
      requests += 1;
    }
  };
  const take = (line: Line, cursor: LogCursor): void => {
    const read = 'fault' in line ? line : reader.read(line.fields);
    if ('fault' in read) {
      badLines += 1;
      if (!options.skipBad) faults.push(`${cursor.log.name}:${line.line} ${read.fault}`);
      if (faults.length >= MOST_FAULTS) throw new InputFault([...faults, 'and perhaps more; --skip-bad counts them instead'].join('\n'));
      return;
    }
    const { atMs } = read.request;
    cursor.requests += 1;
    cursor.newestMs = Math.max(cursor.newestMs, atMs);
    fromMs = Math.min(fromMs, atMs);
    toMs = Math.max(toMs, atMs);
    reorder.push(read.request);
    drain(merge.reachedMs - options.reorderMs);
  };
  const ended = ({ log: { name }, lines, requests: read }: LogCursor): void => {
    if (options.skipBad && lines > 0 && read === 0) throw new InputFault(`${name} has no line that is a request (${lines} were skipped); is --format right?`);
  };
  await merge.each(take, () => progress.show(() => ({ share: shareOf(logs), requests })), ended);
  drain(Infinity);
  progress.clear();
  if (faults.length > 0) throw new InputFault(faults.join('\n'));
  const known = requests > 0;
  return { report: replay.report({ top: options.top }), fromMs: known ? fromMs : undefined, toMs: known ? toMs : undefined, badLines, elapsedMs: performance.now() - startedMs };
}

/** Of all bytes what was read; undefined where nobody knows how many there are. */
function shareOf(logs: readonly OpenLog[]): number | undefined {
  let all = 0;
  let read = 0;
  for (const { bytes, bytesRead } of logs) {
    if (bytes === undefined) return undefined;
    all += bytes;
    read += bytesRead();
  }
  return Math.min(1, read / Math.max(1, all));
}
