import cluster from 'node:cluster';
import type { CheckResult, HealthChecks, Registry } from '@sluice/platform';
import { isProcessMessage, type ProcessMessage, type Subject } from './messages.js';
import { Questions } from './questions.js';

/** A readiness check takes 2 s at most. */
const TIMEOUT_MS = 1_800;

/** The other processes of a service that has several, as one of them sees them. */
export interface Siblings {
  /** `/metrics` of all of them. */
  exposition(): Promise<string>;
}

/** What a process says of itself to the others. */
export interface OwnState {
  readonly metrics: Registry;
  readonly health: HealthChecks;
}

/** The check by which a process is ready when all are; left out when it says of itself. */
export const PROCESSES_CHECK = 'processes';

/**
 * Joins this process to its siblings: it answers their questions, and is ready when all are. Undefined in a process that has none.
 * `process` is then a label of all its metrics.
 */
export function joinSiblings({ metrics, health }: OwnState): Siblings | undefined {
  const { worker } = cluster;
  const slot = process.env[SLOT_VARIABLE];
  if (worker === undefined || slot === undefined) return undefined;
  metrics.setDefaultLabels({ app: 'decision', process: slot });
  const questions = new Questions(TIMEOUT_MS);
  const send = (message: ProcessMessage): void => {
    if (worker.isConnected()) worker.send(message);
  };
  const own = (subject: Subject): Promise<string> =>
    subject === 'metrics' ? metrics.metrics() : health.readiness(PROCESSES_CHECK).then(({ ready }) => (ready ? 'ready' : 'not ready'));
  worker.on('message', (message: unknown) => {
    if (!isProcessMessage(message)) return;
    if (message.sluice === 'answer') questions.settle(message.id, message.text);
    else void own(message.subject).then((text) => send({ sluice: 'answer', id: message.id, text }));
  });
  health.register(PROCESSES_CHECK, async (): Promise<CheckResult> => {
    const said = await questions.ask(send, 'readiness');
    return { ok: said?.startsWith('all') === true, detail: said ?? 'the primary process does not answer' };
  });
  return { exposition: async () => (await questions.ask(send, 'metrics')) ?? metrics.metrics() };
}

/** Says which of the processes a worker is, from 1. Not of `SLUICE_`: nobody sets it. */
export const SLOT_VARIABLE = 'DECISION_PROCESS_SLOT';
