import type { ClientBase } from 'pg';
import type { Role } from './role.js';

interface ListedToken {
  readonly name: string;
  readonly role: Role;
  readonly tenantId: string | null;
  /** As it was asked for. */
  readonly expiresAt: Date | null;
  /** On this process's monotonic clock, so that no clock but the database's matters; Infinity for one that never does. */
  readonly expiresAtMs: number;
}

/** All issued tokens as of one moment. */
export interface TokenList {
  /** Changes when any token does. */
  readonly mark: string;
  readonly tokens: ReadonlyMap<string, ListedToken>;
}

interface MarkRecord {
  readonly mark: string;
}

interface TokenRecord {
  readonly name: string;
  readonly role: Role;
  readonly tenant_id: string | null;
  readonly token_sha256: string;
  readonly expires_at: Date | null;
  readonly expires_in_ms: number | null;
}

/** Two index look-ups and the few tombstones of tokens. A restored backup has another epoch. */
const MARK = `
  SELECT concat_ws(':', epoch, coalesce((SELECT max(changed_at_version) FROM admin_token), 0), coalesce((SELECT max(changed_at_version) FROM tombstone WHERE kind = 'token'), 0)) AS mark
  FROM config_version`;

const TOKENS = `SELECT name, role, tenant_id, token_sha256, expires_at, (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS expires_in_ms FROM admin_token`;

/** The list as it is now: the one at hand if nothing changed. What changes between the two queries changes the next mark. */
export async function readTokens(client: ClientBase, held: TokenList | undefined): Promise<TokenList> {
  const mark = (await client.query<MarkRecord>(MARK)).rows[0]?.mark ?? '';
  if (held?.mark === mark) return held;
  const nowMs = performance.now();
  const { rows } = await client.query<TokenRecord>(TOKENS);
  return { mark, tokens: new Map(rows.map(({ name, role, tenant_id, token_sha256, expires_at, expires_in_ms }) => [token_sha256, { name, role, tenantId: tenant_id, expiresAt: expires_at, expiresAtMs: nowMs + (expires_in_ms ?? Infinity) }])) };
}
