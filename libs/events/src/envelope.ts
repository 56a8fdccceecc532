/** What every event has, whatever else it says; the fields of the event stand beside these. */
export interface Envelope {
  /** Version of the event's shape, from 1; a consumer reads its own and the one before, so that producers can be a release ahead or behind. */
  readonly schema_version: number;
  /** Unique for the event, the same when it is delivered again. */
  readonly event_id: string;
}

/** An event, or why a message is none: for the log and for the dead letter topic. */
export type Decoded<E> = { readonly ok: true; readonly event: E } | { readonly ok: false; readonly reason: string };

/**
 * Opens a message as far as all events are alike. `current` is the newest schema version that the caller knows. Fields that
 * nobody here knows are passed on: a newer producer may add some.
 */
export function openEnvelope(text: string, current: number): Decoded<Envelope & Readonly<Record<string, unknown>>> {
  const fields = parseFields(text);
  if (fields === undefined) return refused(NO_OBJECT);
  const { schema_version, event_id } = fields;
  const fault = envelopeFault(schema_version, event_id, current);
  if (fault !== undefined) return refused(fault);
  return { ok: true, event: { ...fields, schema_version: schema_version as number, event_id: event_id as string } };
}

export const NO_OBJECT = 'is not a JSON object';

/** The fields of a JSON object, all its own; undefined for any other text. */
export function parseFields(text: string): Readonly<Record<string, unknown>> | undefined {
  const json = parse(text);
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Readonly<Record<string, unknown>>) : undefined;
}

/** What is wrong with the fields of an {@link Envelope}, for a consumer that knows schema versions up to `current`. */
export function envelopeFault(schemaVersion: unknown, eventId: unknown, current: number): string | undefined {
  if (typeof schemaVersion !== 'number' || !Number.isSafeInteger(schemaVersion) || schemaVersion < 1) {
    return 'has no schema_version that is an integer of at least 1';
  }
  if (schemaVersion !== current && schemaVersion !== current - 1) {
    return `has schema_version ${String(schemaVersion)}, and only ${String(current)} and the one before are read`;
  }
  return typeof eventId === 'string' && eventId !== '' ? undefined : 'has no event_id that is a string';
}

export function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
