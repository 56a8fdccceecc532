import { openEnvelope, refused, type Decoded, type Envelope } from './envelope.js';

const SCHEMA_VERSION = 1;

/** The rules have a new version. It carries no more than that: who hears it fetches the snapshot, and the poll covers a lost one (R55). */
export interface ConfigChanged extends Envelope {
  readonly schema_version: typeof SCHEMA_VERSION;
  /** The global version that is now in force, at least 1; later events may arrive before earlier ones. */
  readonly version: number;
}

/** Writes the event as a message. */
export function encodeConfigChanged(event: ConfigChanged): string {
  return JSON.stringify(event);
}

/** Reads a message, or says why it is none that is known here. Unknown fields are let be. */
export function decodeConfigChanged(text: string): Decoded<ConfigChanged> {
  const opened = openEnvelope(text, SCHEMA_VERSION);
  if (!opened.ok) return opened;
  const { event_id, version } = opened.event;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) return refused('has no version that is an integer of at least 1');
  return { ok: true, event: { schema_version: SCHEMA_VERSION, event_id, version } };
}
