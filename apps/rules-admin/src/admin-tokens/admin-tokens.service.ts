import { Injectable } from '@nestjs/common';
import { problem, ProblemException, problemType } from '@sluice/platform';
import type { EntityManager } from 'typeorm';
import { currentActing } from '../access/acting.js';
import { ENVIRONMENT_NAME } from '../access/environment-tokens.js';
import { IssuedTokens } from '../access/issued-tokens.js';
import { tokenHash } from '../access/token-hash.js';
import type { Precondition } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { ADMIN_TOKENS, TENANTS } from '../database/tables.js';
import type { RemovalOutcome } from '../database/versioned-table.js';
import { invalid } from '../input/invalid.js';
import type { NewTokenBody } from './admin-token.dto.js';
import { AdminTokenRow } from './admin-token.entity.js';
import { newToken } from './token-secret.js';

/** Each replica holds all of them in memory. */
const MOST_TOKENS = 5_000;
/** Ten years with their leap days. */
const LONGEST_MS = 3_653 * 24 * 60 * 60 * 1000;

/** A token with its text, which nobody will see again. */
export interface CreatedToken {
  readonly row: AdminTokenRow;
  readonly token: string;
}

/** Tokens that open the API. */
@Injectable()
export class AdminTokensService {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
    private readonly issued: IssuedTokens,
  ) {}

  find(name: string): Promise<AdminTokenRow | null> {
    return ADMIN_TOKENS.find(this.reader.manager, name);
  }

  /** @throws ProblemException 400 for a name that is reserved, a tenant that is unknown, missing or not asked for, or an expiry that is past or too far ahead, 409 for a name that is or was taken or one token too many */
  async create({ name, role, tenant_id, expires_at }: NewTokenBody): Promise<CreatedToken> {
    if (name === ENVIRONMENT_NAME) throw invalid([{ pointer: '/name', detail: 'is the name of the tokens of the environment' }]);
    if (role === 'tenant' && tenant_id === undefined) throw invalid([{ pointer: '/tenant_id', detail: 'is required for the role tenant' }]);
    if (role !== 'tenant' && tenant_id !== undefined) throw invalid([{ pointer: '/tenant_id', detail: `is for the role tenant; a token of the role ${role} has none` }]);
    const token = newToken();
    const row = await this.writer.write(async (tx) => {
      if ((await ADMIN_TOKENS.find(tx.manager, name)) !== null) throw conflict('already-exists', 'Already exists', `Token ${name} exists. A token cannot be replaced: create another under another name, and revoke this one.`);
      // Whatever was done under the name, in the log and by Idempotency-Key, was done by somebody else.
      if (await ADMIN_TOKENS.isKnown(tx.manager, name)) throw conflict('name-was-used', 'Name was used', `There was a token ${name}, which was revoked. What it did stays under its name: give the new one another name.`);
      if ((await tx.manager.count(AdminTokenRow)) >= MOST_TOKENS) throw conflict('too-many-tokens', 'Too many tokens', `There are ${MOST_TOKENS} tokens, which is the most. Revoke those that have expired.`);
      if (tenant_id !== undefined && (await TENANTS.find(tx.manager, tenant_id)) === null) throw invalid([{ pointer: '/tenant_id', detail: `names the unknown tenant ${tenant_id}` }]);
      const now = await databaseTime(tx.manager);
      const expiresAt = expires_at === undefined ? null : new Date(expires_at);
      if (expiresAt !== null && expiresAt <= now) throw invalid([{ pointer: '/expires_at', detail: `must be in the future; it is ${now.toISOString()}` }]);
      if (expiresAt !== null && expiresAt.getTime() > now.getTime() + LONGEST_MS) throw invalid([{ pointer: '/expires_at', detail: `must be at most ten years ahead; it is ${now.toISOString()}` }]);
      const tokenSha256 = tokenHash(token).toString('hex');
      return ADMIN_TOKENS.insert(tx, name, { role, tenantId: tenant_id ?? null, tokenSha256, createdAt: now, createdBy: currentActing().actor, expiresAt, lastUsedAt: null });
    });
    // So that its first use is no failed login, which there may have been too many of.
    await this.issued.refresh();
    return { row, token };
  }

  /** Revokes: at once in this process, within `REVOKED_WITHIN_MS` everywhere. */
  async remove(name: string, precondition: Precondition): Promise<RemovalOutcome> {
    const outcome = await this.writer.write((tx) => ADMIN_TOKENS.remove(tx, name, { precondition }));
    if (outcome.status === 'removed') await this.issued.refresh();
    return outcome;
  }
}

/** To the millisecond, as it is kept. */
async function databaseTime(manager: EntityManager): Promise<Date> {
  const [row] = await manager.query<{ readonly now: Date }[]>(`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`);
  if (row === undefined) throw new Error('PostgreSQL has no time.');
  return row.now;
}

function conflict(slug: string, title: string, detail: string): ProblemException {
  return new ProblemException(problem(409, { type: problemType(slug), title, detail }));
}
