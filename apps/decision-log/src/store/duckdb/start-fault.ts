import { StartError } from '@sluice/platform';
import { isError } from './duckdb-faults.js';

const SETTING = 'SLUICE_DECISION_LOG_DIR';

/** Why the embedded store cannot be opened, and what can be done; what is none of its faults stays what it is. */
export function startFault(error: unknown, dir: string): unknown {
  if (!isError(error) || error instanceof StartError) return error;
  const why = reason(error, dir);
  return why === undefined ? error : new StartError(why, { cause: error });
}

function reason(error: Error, dir: string): string | undefined {
  const { message } = error;
  const code = 'code' in error ? String(error.code) : '';
  if (/Could not set lock|Conflicting lock|being used by another process/.test(message)) {
    const pid = /PID (\d+)/.exec(message)?.[1];
    return `the decisions in ${dir} are open in another process${pid === undefined ? '' : ` (PID ${pid})`}: stop that one, or give ${SETTING} a folder of this one's own; several replicas share a ClickHouse (SLUICE_CLICKHOUSE_URL)`;
  }
  if (/EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT/.test(code) || /Permission denied|Read-only file system/i.test(message)) {
    return `${dir} cannot be written (${code === '' ? message : code}): make it a folder of the user that runs this, or name another by ${SETTING}`;
  }
  if (/ENOSPC|EDQUOT/.test(code) || /No space left|Disk quota/i.test(message)) return `the disk of ${dir} is full: free some space, or name another folder by ${SETTING}`;
  if (/not a valid DuckDB database file|Corrupt|checksum|Serialization Error|Failed to deserialize|WAL|version number|INTERNAL Error|Failure while replaying|could not be read|Could not read enough bytes/i.test(message)) {
    return `the database in ${dir} is damaged (${message.split('\n')[0] ?? message}): move decisions.duckdb and decisions.duckdb.wal away and start again; all hours that are in ${dir}/decisions are taken in, what was in the file alone is lost`;
  }
  if (/^(IO|FATAL|Out of Memory|Invalid)/.test(message)) return `the decisions in ${dir} cannot be opened: ${message}`;
  return undefined;
}
