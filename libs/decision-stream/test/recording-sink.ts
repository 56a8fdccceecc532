import { decodeDecisionEvent, type DecisionEvent } from '@sluice/events';
import type { StreamMessage, StreamSink } from '../src/index.js';

/** Takes all, and keeps it. */
export class RecordingSink implements StreamSink {
  readonly batches: (readonly StreamMessage[])[] = [];

  send(messages: readonly StreamMessage[]): Promise<number> {
    this.batches.push([...messages]);
    return Promise.resolve(messages.length);
  }

  get messages(): readonly StreamMessage[] {
    return this.batches.flat();
  }

  /** As a consumer reads them. */
  get events(): readonly DecisionEvent[] {
    return this.messages.map(({ value }) => {
      const decoded = decodeDecisionEvent(value);
      if (!decoded.ok) throw new Error(`${value} ${decoded.reason}`);
      return decoded.event;
    });
  }
}
