/**
 * The time by the store's clock, in ms, when a script answers that the calendar boundaries it was sent do not hold it; undefined
 * for any other reply. Nothing was written then.
 */
export function missedCalendarMs(reply: unknown): number | undefined {
  if (!Array.isArray(reply) || reply.length !== 1) return undefined;
  const nowMs: unknown = reply[0];
  return typeof nowMs === 'number' ? nowMs : undefined;
}
