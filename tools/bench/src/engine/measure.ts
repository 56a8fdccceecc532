import type { Subject } from './subject.js';

export interface Figures {
  readonly nsPerDecision: number;
  readonly bytesPerKey: number;
}

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

function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Touches every key once (that is what the bytes are of), then times decisions in random order; the best of `rounds`. */
export async function measure(make: () => Subject, { ids, order }: Load, rounds: number): Promise<Figures> {
  const before = usedBytes();
  const subject = make();
  for (const id of ids) subject.decide(id);
  const bytesPerKey = (usedBytes() - before) / ids.length;
  let best = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const start = process.hrtime.bigint();
    let allowed = 0;
    for (const at of order) if (subject.decide(ids[at] ?? '')) allowed += 1;
    const elapsed = Number(process.hrtime.bigint() - start);
    if (allowed !== order.length) throw new Error(`${order.length - allowed} decisions were refused: this measures something else`);
    best = Math.min(best, elapsed / order.length);
  }
  await subject.close();
  return { nsPerDecision: best, bytesPerKey };
}
