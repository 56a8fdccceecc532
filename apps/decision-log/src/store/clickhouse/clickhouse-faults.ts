import { ClickHouseError } from '@clickhouse/client';
import { QueryTooLarge, StoreUnavailable } from '../store-faults.js';

/** Codes of ClickHouse (`src/Common/ErrorCodes.cpp`): a query reads or holds more than it may. */
const TOO_LARGE: ReadonlySet<string> = new Set(['158', '159', '160', '191', '241', '307', '396']);
const MEMORY = '241';
/** Who asks is not known, or may not do that. */
const NO_ACCESS: ReadonlySet<string> = new Set(['164', '192', '193', '194', '497', '516']);
/** No such table, no such database: somebody took them away. */
const NOTHING_THERE: ReadonlySet<string> = new Set(['60', '81']);

/** What the server says of credentials or grants. */
export function isAccessFault(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.cause instanceof ClickHouseCode && NO_ACCESS.has(error.cause.code);
}

/** A table or database that was there is not. */
export function isMissingTable(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.cause instanceof ClickHouseCode && NOTHING_THERE.has(error.cause.code);
}

/** A database of the URL's name is not there. */
export function isMissingDatabase(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.cause instanceof ClickHouseCode && error.cause.code === '81';
}

/**
 * What the client reports, in the words of the port. What the server wrote about it is left out: it quotes values of the query and rows of the batch, and a proxy
 * may quote anything; code and name say enough, and the server's own log has the rest.
 */
export function clickHouseFault(error: unknown, doing: 'query' | 'write', place: string): StoreUnavailable | QueryTooLarge {
  if (!(error instanceof ClickHouseError)) return new StoreUnavailable(`ClickHouse at ${place} cannot be reached or does not answer (${networkReason(error)})`);
  const { code, type = 'UNKNOWN' } = error;
  if (doing === 'query' && TOO_LARGE.has(code) && !isServersMemory(error)) return tooLarge(code, type);
  const cause = new ClickHouseCode(code, type);
  if (NO_ACCESS.has(code)) return new StoreUnavailable(`ClickHouse at ${place} lets this user not in, or not do that (${cause.message}): see user and password in SLUICE_CLICKHOUSE_URL, and the grants that the README of decision-log lists`, { cause });
  return new StoreUnavailable(`ClickHouse at ${place} refused (${cause.message})`, { cause });
}

/** The code alone of what the server said. */
class ClickHouseCode extends Error {
  override readonly name = 'ClickHouseCode';
  readonly code: string;

  constructor(code: string, type: string) {
    super(`code ${code}, ${type}`);
    this.code = code;
  }
}

function tooLarge(code: string, type: string): QueryTooLarge {
  const what = code === MEMORY ? 'takes more memory than a query may have' : 'reads more than a query may, or takes longer';
  return new QueryTooLarge(`${what} (${type}): ask for a shorter time range, name a key, a tenant or a rule, or group by fewer dimensions`);
}

/** The limit of the whole server or of all the user's queries, which others use up too: the same query may pass later. */
function isServersMemory({ code, message }: ClickHouseError): boolean {
  return code === MEMORY && /\(total\)|User memory limit|\(for user\)/i.test(message);
}

function networkReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no reason given';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Texts of the client itself; anything else is the answer of something that is no ClickHouse.
  const own = 'message' in error ? /^(Timeout error|The user aborted a request|aborted|socket hang up)\b/.exec(String(error.message)) : null;
  return own?.[0] ?? 'not the answer of a ClickHouse';
}
