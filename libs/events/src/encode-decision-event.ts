import type { DecisionEvent } from './decision-event.js';

/** Writes an event as the value of a message. */
export function encodeDecisionEvent(event: DecisionEvent): string {
  return JSON.stringify(event);
}
