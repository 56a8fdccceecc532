/** Takes an `event_id` apart: the last colon is between producer and sequence. */
export function splitEventId(eventId: string): { readonly producer: string; readonly sequence: number } {
  const colon = eventId.lastIndexOf(':');
  return { producer: eventId.slice(0, colon), sequence: Number(eventId.slice(colon + 1)) };
}
