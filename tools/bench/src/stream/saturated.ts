import { median } from '../cold/measure.js';
import { threadNs } from '../engine/measure.js';
import { verdict } from '../verdict.js';
import { NEVER_ANSWERS, REFUSES, StreamSubject, TAKES_ALL, TOO_MUCH } from './stream-subject.js';

export const LEAST_RATIO = 0.97;
/** Decisions between two turns of the event loop. */
const CHUNK = 500;
/** One chunk in so many is refused: more refusals by far than are sent. */
const REFUSED_ONE_IN = 10;

const SINKS = { none: undefined, 'takes all': TAKES_ALL, refuses: REFUSES, 'never answers': NEVER_ANSWERS } as const;
type Name = keyof typeof SINKS;
const NAMES = Object.keys(SINKS) as readonly Name[];

/** A process that does nothing but decide, a tenth of it refusals: what the drain takes is not decided. */
export async function printSaturated(short: boolean, print: (line: string) => void): Promise<void> {
  const subjects = Object.fromEntries(NAMES.map((name) => [name, new StreamSubject(SINKS[name] && { sink: SINKS[name] })])) as Record<Name, StreamSubject>;
  const turnMs = short ? 150 : 500;
  const rounds: Record<Name, Turn>[] = [];
  for (let round = 0; round < (short ? 8 : 25); round += 1) {
    const turns: Partial<Record<Name, Turn>> = {};
    // There and back, so that what changes in the meantime hits all alike.
    for (const name of round % 2 === 0 ? NAMES : [...NAMES].reverse()) turns[name] = await turn(subjects[name], turnMs);
    if (round > 0) rounds.push(turns as Record<Name, Turn>);
  }
  print(`a process that decides all the time, a tenth refusals, share of allows 0.01, a sink in this process; by processor time of the thread`);
  print('sink          decisions/cpu s   of none   of takes all   longest turn, ms   offered/s   sent/s (wall)');
  for (const name of NAMES) {
    const of = (value: (taken: Turn) => number): number => median(rounds.map((taken) => value(taken[name])));
    const ratios = (to: Name): number[] => rounds.map((taken) => taken[name].perSecond / taken[to].perSecond);
    print(
      [
        name.padEnd(15),
        of(({ perSecond }) => perSecond).toFixed(0).padStart(12),
        median(ratios('none')).toFixed(3).padStart(9),
        median(ratios('takes all')).toFixed(3).padStart(14),
        of(({ longestMs }) => longestMs).toFixed(1).padStart(18),
        of(({ offered }) => offered).toFixed(0).padStart(11),
        of(({ sent }) => sent).toFixed(0).padStart(8),
        name === 'refuses' || name === 'never answers' ? `   ${verdict(`at least ${LEAST_RATIO}`, ratios('takes all'), (ratio) => ratio >= LEAST_RATIO)}` : '',
      ].join(' '),
    );
  }
  // Who never answers would be waited for.
  await Promise.all(NAMES.filter((name) => name !== 'never answers').map((name) => subjects[name].close()));
}

interface Turn {
  /** Of processor time: a neighbour that takes the processor away is not counted. */
  readonly perSecond: number;
  readonly longestMs: number;
  /** A second of the clock, both. */
  readonly offered: number;
  readonly sent: number;
}

async function turn(subject: StreamSubject, turnMs: number): Promise<Turn> {
  const before = subject.stream?.stats();
  const startNs = threadNs();
  const startMs = performance.now();
  let decided = 0;
  let longestMs = 0;
  for (let lastMs = startMs; lastMs < startMs + turnMs; ) {
    subject.decide(CHUNK, (decided / CHUNK) % REFUSED_ONE_IN === 0 ? TOO_MUCH : 1);
    decided += CHUNK;
    await new Promise(setImmediate);
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }
  const cpuSeconds = (threadNs() - startNs) / 1e9;
  const seconds = (performance.now() - startMs) / 1_000;
  const after = subject.stream?.stats();
  const since = (field: 'offered' | 'sent'): number => ((after?.[field] ?? 0) - (before?.[field] ?? 0)) / seconds;
  return { perSecond: decided / cpuSeconds, longestMs, offered: since('offered'), sent: since('sent') };
}
