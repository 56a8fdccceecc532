import type { DecisionEvent } from '@sluice/events';

/** How far the clock of an event may lie behind that of an earlier one of its producer: what a node takes for the store's clock is estimated anew all the time. */
const STEP_BACK_MS = 1_000;

interface Placed {
  readonly event: DecisionEvent;
  readonly producer: string;
  readonly sequence: number;
  /** Its time, or that of an earlier one of its producer where that is later. */
  atMs: number;
}

/**
 * Events in the order in which they were decided: of one producer by its sequence, whatever its clock did, of several by time. The store has them by time and then
 * by the text of their id, where `p:10` comes before `p:9`. Times do not step back in what comes out.
 *
 * @param chunks the oldest first
 */
export async function* inOrder(chunks: AsyncIterable<readonly DecisionEvent[]>): AsyncGenerator<readonly DecisionEvent[]> {
  let waiting: Placed[] = [];
  /** Per producer the time of the last one that came out. */
  const reached = new Map<string, number>();
  for await (const chunk of chunks) {
    for (const event of chunk) waiting.push(placed(event));
    const newestMs = chunk.at(-1)?.at_ms ?? -Infinity;
    const all = ordered(waiting, reached);
    // Nothing that comes can be before this.
    const end = all.findIndex(({ event, atMs }) => Math.max(event.at_ms, atMs) > newestMs - STEP_BACK_MS);
    const out = end < 0 ? all : all.slice(0, end);
    waiting = end < 0 ? [] : all.slice(end);
    yield taken(out, reached);
  }
  yield taken(ordered(waiting, reached), reached);
}

function placed(event: DecisionEvent): Placed {
  const colon = event.event_id.lastIndexOf(':');
  return { event, producer: event.event_id.slice(0, colon), sequence: Number(event.event_id.slice(colon + 1)), atMs: event.at_ms };
}

function ordered(waiting: readonly Placed[], reached: ReadonlyMap<string, number>): Placed[] {
  const bySequence = [...waiting].sort((a, b) => compareText(a.producer, b.producer) || a.sequence - b.sequence);
  let producer: string | undefined;
  let latestMs = -Infinity;
  for (const one of bySequence) {
    if (one.producer !== producer) {
      producer = one.producer;
      latestMs = reached.get(producer) ?? -Infinity;
    }
    const { at_ms } = one.event;
    // A clock that was far ahead for a moment holds nothing back.
    latestMs = latestMs - at_ms > STEP_BACK_MS ? at_ms : Math.max(latestMs, at_ms);
    one.atMs = latestMs;
  }
  // Stable: equal times stay by producer and sequence.
  return bySequence.sort((a, b) => a.atMs - b.atMs);
}

function taken(out: readonly Placed[], reached: Map<string, number>): readonly DecisionEvent[] {
  return out.map(({ event, producer, atMs }) => {
    reached.set(producer, atMs);
    return atMs === event.at_ms ? event : { ...event, at_ms: atMs };
  });
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
