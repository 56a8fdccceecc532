import type { StreamSink } from '@sluice/decision-stream';
import { TOPICS } from '@sluice/events';
import type { EventBatches } from '@sluice/platform';

/**
 * Sends events over the bus, to `sluice.decisions.v1`. What the bus does not take is dropped and counted by the stream. The nodes of one process may share it: the
 * bus has one batch of a topic at a time, and the next one waits here.
 */
export function busSink(bus: Pick<EventBatches, 'publishBatch'>): StreamSink {
  let last: Promise<unknown> = Promise.resolve();
  return {
    send(messages) {
      const sent = last.then(() => bus.publishBatch(TOPICS.decisions, messages));
      last = sent;
      return sent;
    },
  };
}
