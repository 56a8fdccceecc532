import { HeapGrowth } from '../heap-growth.js';
import type { Subject } from './subject.js';

/** Key ids in use, and the order in which they come: random, so that the processor's caches do not flatter big tables. */
export interface Load {
  readonly ids: readonly string[];
  readonly order: Uint32Array;
}

export function load(keys: number, decisions: number): Load {
  const ids = Array.from({ length: keys }, (_, at) => `key_${at.toString(36).padStart(6, '0')}`);
  const order = new Uint32Array(decisions);
  let state = 0x9e3779b9;
  for (let at = 0; at < decisions; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    order[at] = Math.floor((state / 2 ** 32) * keys);
  }
  return { ids, order };
}

/** Bytes in use, after a collection; buffers of typed arrays are part of it. */
export function usedBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The same when what a collection found to be over is gone too: buffers are freed behind it. */
export async function settledBytes(): Promise<number> {
  for (let pass = 0; pass < 3; pass += 1) {
    usedBytes();
    await new Promise(setImmediate);
  }
  return usedBytes();
}

/** Touches every key once, so that its permits are at hand. */
export function prime(subject: Subject, { ids }: Load): void {
  for (const id of ids) subject.decide(id);
}

/**
 * Nanoseconds a decision for each subject, keys in random order. The subjects take turns in short slices, so that what else the machine
 * does hits all alike, and the best slice of each counts.
 */
export function race(subjects: readonly Subject[], traffic: Load, slices: number): readonly number[] {
  const size = Math.floor(traffic.order.length / slices);
  const best = subjects.map(() => Infinity);
  for (let slice = 0; slice < slices; slice += 1) {
    subjects.forEach((subject, at) => {
      best[at] = Math.min(best[at] ?? Infinity, timed(subject, traffic, slice * size, size));
    });
  }
  return best;
}

/** Processor time of this thread: a neighbour that takes the processor away is not counted, though its use of the caches is felt. */
export function threadNs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) * 1000;
}

function timed(subject: Subject, { ids, order }: Load, from: number, count: number): number {
  const start = threadNs();
  let allowed = 0;
  for (let at = from; at < from + count; at += 1) if (subject.decide(ids[order[at] ?? 0] ?? '')) allowed += 1;
  const elapsed = threadNs() - start;
  if (allowed !== count) throw new Error(`${count - allowed} decisions were refused: this measures something else`);
  return elapsed / count;
}

/** Decisions between two looks at the heap. */
const DECISIONS_A_LOOK = 1_000;

/** Bytes that a decision allocates, those of the caller's attributes among them. */
export function bytesADecision(subject: Subject, { ids, order }: Load, decisions = 200_000): number {
  const growth = new HeapGrowth();
  for (let at = 0; at < decisions; at += 1) {
    subject.decide(ids[order[at] ?? 0] ?? '');
    if ((at + 1) % DECISIONS_A_LOOK === 0) growth.look(DECISIONS_A_LOOK);
  }
  return growth.bytesEach;
}
