import { type DecisionEvent, encodeDecisionEvent } from '@sluice/events';
import type { OutgoingMessage } from '@sluice/platform';
import { eventOf } from '../store-contract/sample-events.js';

/** Events of one producer, as a node would send them: of each 100 keys, one after another. */
export function streamMessages(producer: string, from: number, count: number, fields: Partial<DecisionEvent> = {}): OutgoingMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const sequence = from + index;
    const key = `key-${sequence % 100}`;
    return { key, value: encodeDecisionEvent(eventOf({ event_id: `${producer}:${sequence}`, at_ms: Date.now(), attributes: { domain: 'api', key_id: key }, ...fields })) };
  });
}

/** `producer:0` to `producer:count-1`. */
export function eventIds(producer: string, count: number): string[] {
  return Array.from({ length: count }, (_, sequence) => `${producer}:${sequence}`);
}
