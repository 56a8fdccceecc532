import cluster, { type Worker } from 'node:cluster';
import { hostname } from 'node:os';
import { type Logger, StartError, stopOnSignal } from '@sluice/platform';
import { isProcessMessage, type Subject } from './messages.js';
import { mergeExpositions } from './merge-expositions.js';
import { Questions } from './questions.js';
import { RestartDelays } from './restart-delays.js';
import { SLOT_VARIABLE } from './siblings.js';

export interface ProcessesOptions {
  readonly count: number;
  /** Name of the first is `NODE-1`. Default: that of the machine. */
  readonly nodeId: string | undefined;
  readonly logger: Logger;
}

/** Less than whoever asks waits. */
const TIMEOUT_MS = 1_000;
/** A node's name has 64 characters at most, with the number of the process. */
const MOST_NAME = 60;

/**
 * Runs several processes of the service on the same ports, each a node of its own, as the primary: it serves nothing, so that nothing of theirs can end it.
 * One that ends is replaced, later and later while that goes on. The kernel deals connections out, to whoever has time: if the primary did, those that it
 * was handing to a process that is killed would hang (measured; docs/adr/0028-forward-auth.md).
 *
 * @throws StartError when a process ends before any has listened
 */
export async function runProcesses({ count, nodeId = hostname(), logger }: ProcessesOptions): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const slots = new Map<Worker, number>();
  const questions = new Questions(TIMEOUT_MS);
  const delays = new RestartDelays();
  let restarts = 0;
  let stopping = false;

  function start(slot: number): Worker {
    const worker = cluster.fork({ SLUICE_NODE_ID: `${nodeId.slice(0, MOST_NAME)}-${slot}`, [SLOT_VARIABLE]: String(slot) });
    slots.set(worker, slot);
    worker.on('message', (message: unknown) => {
      if (!isProcessMessage(message)) return;
      if (message.sluice === 'answer') questions.settle(message.id, message.text);
      else void (message.subject === 'metrics' ? metrics() : readiness(worker)).then((text) => worker.isConnected() && worker.send({ ...message, sluice: 'answer', text }));
    });
    return worker;
  }

  const askOf = (workers: Iterable<Worker>, subject: Subject): Promise<(string | undefined)[]> =>
    Promise.all([...workers].map((worker) => questions.ask((message) => worker.isConnected() && worker.send(message), subject)));

  async function metrics(): Promise<string> {
    const texts = await askOf(slots.keys(), 'metrics');
    return mergeExpositions([...texts.filter((text) => text !== undefined), ownMetrics(slots.size, restarts)]);
  }

  /** Of the others: the one that asks knows itself. */
  async function readiness(asker: Worker): Promise<string> {
    const others = [...slots.keys()].filter((worker) => worker !== asker);
    const ready = (await askOf(others, 'readiness')).filter((text) => text === 'ready').length;
    return ready === count - 1 ? `all ${count} processes are ready` : `${ready} of ${count - 1} other processes are ready`;
  }

  cluster.on('exit', (worker, code, signal) => {
    const slot = slots.get(worker);
    slots.delete(worker);
    if (slot === undefined || stopping) return;
    restarts += 1;
    const delayMs = delays.next(slot);
    logger.error({ process: slot, code, signal, restart_in_ms: delayMs }, 'a process has ended; it is replaced');
    setTimeout(() => stopping || start(slot), delayMs);
  });
  cluster.on('listening', (worker) => delays.listening(slots.get(worker) ?? 0));

  const first = Array.from({ length: count }, (_, at) => start(at + 1));
  stopOnSignal({
    logger,
    close: async () => {
      stopping = true;
      await stopAll(slots);
    },
  });
  await firstListens(first, () => stopping);
}

/** Pending for ever where a stop comes first. */
function firstListens(workers: readonly Worker[], isStopping: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    for (const worker of workers) {
      worker.once('listening', () => resolve());
      // What it has to say it has said.
      worker.once('exit', () => isStopping() || reject(new StartError('A process ended before it listened.')));
    }
  });
}

/** Each ends by itself within its own deadline (R44); the signal itself ends what is still at its start, and has nothing to give back. @throws Error when one did not */
async function stopAll(slots: ReadonlyMap<Worker, number>): Promise<void> {
  const codes = await Promise.all(
    [...slots.keys()].map((worker) => {
      const ended = new Promise<number>((resolve) => worker.once('exit', (code, signal) => resolve(signal === 'SIGTERM' ? 0 : code)));
      worker.process.kill('SIGTERM');
      return ended;
    }),
  );
  if (codes.some((code) => code !== 0)) throw new Error('not all processes ended cleanly');
}

function ownMetrics(running: number, restarts: number): string {
  return [
    '# HELP sluice_processes Processes that share the ports of this service.',
    '# TYPE sluice_processes gauge',
    `sluice_processes{app="decision"} ${running}`,
    '# HELP sluice_process_restarts_total Processes that ended and were replaced.',
    '# TYPE sluice_process_restarts_total counter',
    `sluice_process_restarts_total{app="decision"} ${restarts}`,
    '',
  ].join('\n');
}
