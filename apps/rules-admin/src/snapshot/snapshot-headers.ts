import { ETAG_HEADER } from '../openapi/api-responses.js';

/** The header fields of a snapshot, for the OpenAPI document. */
export const SNAPSHOT_HEADERS = {
  ...ETAG_HEADER,
  'Sluice-Epoch': { description: 'This life of the database; versions of another one mean something else.', schema: { type: 'string' as const } },
  'Sluice-Checksum': { description: 'Hash of the whole snapshot at this version, also when the body holds changes only.', schema: { type: 'string' as const } },
  'Sluice-Snapshot': { description: 'What the body is.', schema: { type: 'string' as const, enum: ['whole', 'delta'] } },
  'Sluice-Published-Age': { description: 'Milliseconds since the version was committed, at the moment of the answer, by the clock of the database. Absent where it is not known.', schema: { type: 'integer' as const, minimum: 0 } },
  'Sluice-Stale': { description: 'Seconds since the version was last known to be in force. There only while the database is away; on 304 too.', schema: { type: 'integer' as const, minimum: 0 } },
};
