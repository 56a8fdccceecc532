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
  const json = parse(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return refused('is not a JSON object');
  const fields: Readonly<Record<string, unknown>> = { ...json };
  const { schema_version, event_id } = fields;
  if (typeof schema_version !== 'number' || !Number.isSafeInteger(schema_version) || schema_version < 1) {
    return refused('has no schema_version that is an integer of at least 1');
  }
  if (schema_version !== current && schema_version !== current - 1) {
    return refused(`has schema_version ${String(schema_version)}, and only ${String(current)} and the one before are read`);
  }
  if (typeof event_id !== 'string' || event_id === '') return refused('has no event_id that is a string');
  return { ok: true, event: { ...fields, schema_version, event_id } };
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
