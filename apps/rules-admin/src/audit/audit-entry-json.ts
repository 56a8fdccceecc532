import type { AuditEntryResource } from './audit-entry.dto.js';
import type { LogRecord } from './log-reader.js';

/** An entry as the API shows it. */
export function auditEntryJson({ ordinal: _ordinal, note, ...entry }: LogRecord): AuditEntryResource {
  return { ...entry, ...(note === null ? {} : { note }) };
}
