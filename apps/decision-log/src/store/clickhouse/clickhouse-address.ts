import { StartError } from '@sluice/platform';

/** What `SLUICE_CLICKHOUSE_URL` says. */
export interface ClickHouseAddress {
  readonly origin: string;
  /** `host:port`, which is all of the URL that is ever shown. */
  readonly host: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

/**
 * Reads `http(s)://user:password@host:8123/database`; user and database are `default` where there is none.
 * @throws StartError for a part that is not encoded as in URLs; it shows nothing of the URL
 */
export function clickHouseAddress(text: string): ClickHouseAddress {
  const { origin, host, username, password, pathname } = new URL(text);
  try {
    return {
      origin,
      host,
      username: decodeURIComponent(username) || 'default',
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)) || 'default',
    };
  } catch {
    throw new StartError('SLUICE_CLICKHOUSE_URL has a % in its user, password or database that encodes no character: write %25 for the sign itself');
  }
}
