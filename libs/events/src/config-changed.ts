/** The rules have a new version. It carries no more than that: who hears it fetches the snapshot, and the poll covers a lost one (R55). */
export interface ConfigChanged {
  readonly schema_version: 1;
  readonly event_id: string;
  /** The global version that is now in force; later events may arrive before earlier ones. */
  readonly version: number;
}

/** Writes the event as a message. */
export function encodeConfigChanged(event: ConfigChanged): string {
  return JSON.stringify(event);
}

/** Reads a message; undefined when it is none of a schema version known here. Unknown fields are let be. */
export function decodeConfigChanged(text: string): ConfigChanged | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null) return undefined;
  const { schema_version, event_id, version } = json as Partial<Record<keyof ConfigChanged, unknown>>;
  if (schema_version !== 1 || typeof event_id !== 'string' || !Number.isSafeInteger(version) || typeof version !== 'number') return undefined;
  return { schema_version, event_id, version };
}
