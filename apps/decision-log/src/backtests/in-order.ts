import type { DecisionEvent } from '@sluice/events';

/**
 * Events of one ms in the order in which their producer decided them: the store has them by the text of their id, where `p:10` comes before `p:9`. What is of the last ms of a chunk
 * waits for the next one.
 */
export async function* inOrder(chunks: AsyncIterable<readonly DecisionEvent[]>): AsyncGenerator<readonly DecisionEvent[]> {
  let waiting: readonly DecisionEvent[] = [];
  for await (const chunk of chunks) {
    const all = [...waiting, ...chunk].sort(compare);
    const lastMs = all.at(-1)?.at_ms;
    const end = all.length - all.findLastIndex((event) => event.at_ms !== lastMs) - 1;
    waiting = all.slice(all.length - end);
    yield all.slice(0, all.length - end);
  }
  yield waiting;
}

function compare(a: DecisionEvent, b: DecisionEvent): number {
  return a.at_ms - b.at_ms || compareIds(a.event_id, b.event_id);
}

/** `<producer>:<sequence>` */
function compareIds(a: string, b: string): number {
  const atA = a.lastIndexOf(':');
  const atB = b.lastIndexOf(':');
  const producerA = a.slice(0, atA);
  const producerB = b.slice(0, atB);
  if (producerA !== producerB) return producerA < producerB ? -1 : 1;
  return Number(a.slice(atA + 1)) - Number(b.slice(atB + 1));
}
