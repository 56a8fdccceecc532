import type { DecisionEvent } from '@sluice/events';
import { eventOf } from '../../store-contract/sample-events.js';

const HOUR_MS = 3_600_000;
/** 2026-11-30T00:00Z. */
export const FIRST_HOUR_MS = 1_795_996_800_000;
export const HOURS = 8;

/** The event of a sequence: its hour moves on slowly, and some are late. */
export function numberedEvent(sequence: number): DecisionEvent {
  const hour = sequence % 17 === 0 ? sequence % HOURS : Math.floor(sequence / 700) % HOURS;
  return eventOf({
    event_id: `killed:${String(sequence)}`,
    at_ms: FIRST_HOUR_MS + hour * HOUR_MS + (sequence * 7919) % HOUR_MS,
    allowed: sequence % 3 !== 0,
    attributes: { key_id: `k${String(sequence % 13)}`, endpoint: 'GET /v1/search' },
  });
}
