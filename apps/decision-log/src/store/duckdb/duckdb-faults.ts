import { types } from 'node:util';
import { QueryTooLarge, StoreUnavailable } from '../store-faults.js';

const DISK_FULL = /No space left|disk full|Disk quota|max_temp_directory_size/i;
const NO_DAMAGE = new RegExp(`${DISK_FULL.source}|Permission denied|Too many open files|Read-only file system`, 'i');

/** Whether it is an error, of whatever realm: those of native code are none of this one's where each test file has one of its own. */
export function isError(error: unknown): error is Error {
  return error instanceof Error || types.isNativeError(error);
}

/** DuckDB itself says that it can do nothing more before it is opened anew. */
export function isFatal(error: unknown): boolean {
  return isError(error) && /FATAL Error|database has been invalidated/.test(error.message);
}

/** Whether it is about a file that is not what it should be, or is not there; not about rights, or about room of whatever kind. */
export function isDamage(error: unknown): error is Error {
  return isError(error) && /^(Invalid|IO|Serialization|Binder)\b/.test(error.message) && !NO_DAMAGE.test(error.message) && !isFatal(error);
}

/** Which hour, or hours, an error of a query over these files says that a part of is damaged; undefined when it says no such thing. */
export function damagedHour(error: unknown, files: readonly string[]): string | undefined {
  if (!isDamage(error) || files.length === 0) return undefined;
  const named = hourIn(error.message);
  if (named !== undefined || !error.message.startsWith('Invalid')) return named;
  // What is wrong within a file is often said without its name.
  const [first, last] = [hourIn(files[0] ?? ''), hourIn(files.at(-1) ?? '')];
  return first === last ? first : `${first ?? ''} to ${last ?? ''}`;
}

function hourIn(text: string): string | undefined {
  return /hour=\d{4}-\d{2}-\d{2}T\d{2}/.exec(text)?.[0];
}

/** What DuckDB reports of a query over these files, in the words of the port; a fault of ours stays what it is. */
export function queryFault(error: unknown, timeoutMs: number, files: readonly string[]): unknown {
  const text = isError(error) ? error.message : '';
  if (text.startsWith('INTERRUPT')) {
    return new QueryTooLarge(`not answered within ${String(timeoutMs / 1000)} s: ask for a shorter time range, or name a key, a tenant or a rule`);
  }
  if (text.startsWith('Out of Memory')) {
    return new QueryTooLarge('takes more memory than a query may have: ask for a shorter time range, or group by fewer dimensions');
  }
  const hour = damagedHour(error, files);
  if (hour !== undefined) return new StoreUnavailable(`a part of ${hour} is damaged (${text.split('\n')[0] ?? text}): ask for another time, or move that file away and start again, without its events`, { cause: error });
  return storeFault(error);
}

/** What DuckDB reports of a write. */
export function storeFault(error: unknown): unknown {
  if (!isError(error) || error instanceof StoreUnavailable || error instanceof QueryTooLarge) return error;
  const { message } = error;
  if (DISK_FULL.test(message)) return unavailable('the disk is full: free some space, or shorten SLUICE_DECISION_LOG_RETENTION', error);
  if (/^(IO|FATAL|INTERNAL|Out of Memory|TransactionContext|Connection|INTERRUPT|Transaction|Permission)/.test(message) || isFatal(error) || 'code' in error) return unavailable(message, error);
  return error;
}

function unavailable(why: string, cause: Error): StoreUnavailable {
  return new StoreUnavailable(`the embedded store cannot be used now: ${why}`, { cause });
}
