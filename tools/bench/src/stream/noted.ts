import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../cold/measure.js';
import { threadNs } from '../engine/measure.js';
import { HeapGrowth } from '../heap-growth.js';
import { verdict } from '../verdict.js';
import { NEVER_ANSWERS, StreamSubject, TAKES_ALL, TOO_MUCH } from './stream-subject.js';

const MOST_NS = 300;
/** Long enough for a clock of the thread that the kernel moves on every few ms. */
const SLICE = 100_000;
/** Room for a slice: the ring is empty before each, but for the subject whose ring is to be full. */
const ROOM = { sink: TAKES_ALL, capacity: 131_072, maxPerSecond: 1_000_000 } as const;

const CASES = [
  { name: 'allow, share 0.01', cost: 1, options: { sink: TAKES_ALL }, goal: true },
  { name: 'allow, share 1', cost: 1, options: { ...ROOM, allowShare: 1 } },
  { name: 'allow, own shares', cost: 1, options: { sink: TAKES_ALL, ruleShares: new Map([['search', 1]]) } },
  { name: 'refusal', cost: TOO_MUCH, options: ROOM },
  { name: 'refusal, ring full', cost: TOO_MUCH, options: { sink: NEVER_ANSWERS } },
] as const;

/** What `note` adds to a decision: the same engine without a stream and with one take turns, and the differences of the pairs are compared. */
export async function printNoted(short: boolean, print: (line: string) => void): Promise<void> {
  print(`a decision from a local lease, ns of the thread's processor time, ${SLICE / 1_000}k at a time`);
  print('                     alone  noted   added (quartiles)       bytes added');
  for (const one of CASES) {
    const [plain, noted] = [new StreamSubject(undefined), new StreamSubject(one.options)];
    const isFull = one.options.sink === NEVER_ANSWERS;
    const rounds: (readonly [number, number])[] = [];
    for (let round = 0; round < ('goal' in one ? (short ? 15 : 60) : short ? 6 : 24); round += 1) {
      await emptied(noted, isFull);
      const first = round % 2 === 0 ? plain : noted;
      const [a, b] = [timed(first, one.cost), timed(first === plain ? noted : plain, one.cost)];
      // The first ones warm the code up.
      if (round > 2) rounds.push(first === plain ? [a, b] : [b, a]);
    }
    await emptied(noted, isFull);
    const bytes = bytesEach(noted, one.cost) - bytesEach(plain, one.cost);
    const added = rounds.map(([a, b]) => b - a);
    const at = (share: number): string => ([...added].sort((a, b) => a - b)[Math.floor(share * (added.length - 1))] ?? NaN).toFixed(0);
    print(
      [
        one.name.padEnd(20),
        median(rounds.map(([a]) => a)).toFixed(0).padStart(5),
        median(rounds.map(([, b]) => b)).toFixed(0).padStart(6),
        `${median(added).toFixed(0).padStart(7)} (${at(0.25)} to ${at(0.75)})`.padEnd(24),
        bytes.toFixed(1).padStart(11),
        'goal' in one ? `   ${verdict(`at most ${MOST_NS}`, added, (ns) => ns <= MOST_NS)}` : '',
      ].join(' '),
    );
    await Promise.all([plain.close(), isFull ? undefined : noted.close()]);
  }
}

/** Until nothing waits, or, where that is meant, as long as there is room. */
async function emptied({ stream }: StreamSubject, isFull: boolean): Promise<void> {
  await sleep(1);
  while (!isFull && (stream?.stats().waiting ?? 0) > SLICE / 10) await sleep(5);
}

function timed(subject: StreamSubject, cost: number): number {
  const start = threadNs();
  const allowed = subject.decide(SLICE, cost);
  const ns = threadNs() - start;
  if (allowed !== (cost === 1 ? SLICE : 0)) throw new Error(`${allowed} decisions were allowed: this measures something else`);
  return ns / SLICE;
}

function bytesEach(subject: StreamSubject, cost: number): number {
  const growth = new HeapGrowth();
  for (let look = 0; look < 40; look += 1) {
    subject.decide(1_000, cost);
    growth.look(1_000);
  }
  return growth.bytesEach;
}
