import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How h2load is to ask. */
export interface Load {
  readonly binary: string;
  readonly port: number;
  readonly path: string;
  /** File that holds the request, frame included. */
  readonly bodyFile: string;
  readonly connections: number;
  /** Calls at a time on each connection. */
  readonly streams: number;
  readonly calls: number;
  /** All connections together; absent: as fast as they are answered. */
  readonly perSecond?: number;
  /** Processor to bind it to. */
  readonly processor: number | undefined;
}

export interface Loaded {
  readonly perSecond: number;
  /** Each call's time, ms, from lowest to highest. Empty unless there is a log. */
  readonly ms: readonly number[];
}

/** Runs h2load. Its own count of successes says that there were answers, and nothing of their status. @throws when a call got no answer */
export async function h2load(load: Load, logFile?: string): Promise<Loaded> {
  const { binary, port, path, bodyFile, connections, streams, calls, perSecond, processor } = load;
  const args = [
    ...['-n', String(calls), '-c', String(connections), '-m', String(streams), '-d', bodyFile],
    ...['-H', 'content-type: application/grpc', '-H', 'te: trailers'],
    ...(perSecond === undefined ? [] : ['--rps', String(perSecond / connections)]),
    ...(logFile === undefined ? [] : ['--log-file', logFile]),
    `http://127.0.0.1:${port}${path}`,
  ];
  const command = processor === undefined ? [binary, ...args] : ['taskset', '-c', String(processor), binary, ...args];
  if (logFile !== undefined) rmSync(logFile, { force: true });
  const { stdout } = await run(command[0] ?? binary, command.slice(1), { timeout: 120_000, maxBuffer: 1e7 });
  const figure = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  if (figure(/(\d+) succeeded/) !== calls) throw new Error(`h2load: ${/^requests:.*$/m.exec(stdout)?.[0] ?? stdout}`);
  const ms = logFile === undefined ? [] : readFileSync(logFile, 'utf8').trim().split('\n').map((line) => Number(line.split('\t')[2]) / 1_000);
  return { perSecond: figure(/([\d.]+) req\/s/), ms: ms.sort((a, b) => a - b) };
}
