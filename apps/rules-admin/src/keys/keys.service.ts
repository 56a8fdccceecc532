import { Injectable } from '@nestjs/common';
import { problem, ProblemException, problemType } from '@sluice/platform';
import type { Precondition } from '../conditional/precondition.js';
import { type Refusal, refusalOf } from '../conditional/precondition.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import { KEYS, TENANTS } from '../database/tables.js';
import type { RemovalOutcome, WriteOutcome } from '../database/versioned-table.js';
import { invalid } from '../input/invalid.js';
import { notFound } from '../input/not-found.js';
import { TenantRow } from '../tenants/tenant.entity.js';
import type { KeyIdentity, KeyPatchBody, NewKeyBody } from './key.dto.js';
import { KeyRow } from './key.entity.js';
import { newKeyId, newSecret, secretHash } from './key-secret.js';

/** A key with its secret, which nobody will see again. */
export interface CreatedKey {
  readonly row: KeyRow;
  readonly secret: string;
}

/** A key with its new secret, or why it has none. */
export type KeyRotationOutcome = { readonly status: 'rotated'; readonly row: KeyRow; readonly secret: string } | { readonly status: 'refused'; readonly refusal: Refusal };

/** API keys of tenants. */
@Injectable()
export class KeysService {
  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
  ) {}

  find(keyId: string): Promise<KeyRow | null> {
    return KEYS.find(this.reader.manager, keyId);
  }

  /** @throws ProblemException 400 for an unknown tenant, 409 for an id that is taken */
  create({ tenant_id, name, key_id = newKeyId() }: NewKeyBody): Promise<CreatedKey> {
    const secret = newSecret();
    return this.writer.write(async (tx) => {
      if ((await TENANTS.find(tx.manager, tenant_id)) === null) throw invalid([{ pointer: '/tenant_id', detail: `names the unknown tenant ${tenant_id}` }]);
      if ((await KEYS.find(tx.manager, key_id)) !== null) throw taken(key_id);
      const row = await KEYS.insert(tx, key_id, { tenantId: tenant_id, name, secretSha256: secretHash(secret), previousSha256: null, previousExpiresAt: null, disabled: false });
      return { row, secret };
    });
  }

  /** @throws ProblemException 404 */
  patch(keyId: string, { name, disabled }: KeyPatchBody, precondition: Precondition): Promise<WriteOutcome<KeyRow>> {
    return this.writer.write(async (tx) => {
      const row = await KEYS.find(tx.manager, keyId);
      if (row === null) throw notFound(`Key ${keyId}`);
      const refusal = refusalOf(precondition, row.version);
      if (refusal !== undefined) return { status: 'refused', refusal };
      const fields = { name: name ?? row.name, disabled: disabled ?? row.disabled };
      if (fields.name === row.name && fields.disabled === row.disabled) return { status: 'unchanged', row };
      // Gateways have cached whether the key is good.
      return { status: 'updated', row: await KEYS.update(tx, row, fields, fields.disabled === row.disabled ? 'lists' : 'nodes') };
    });
  }

  /**
   * A new secret; the one until now stays good for a while. Of an earlier rotation the older one ends at once: two secrets are good at most.
   *
   * @throws ProblemException 404
   */
  async rotate(keyId: string, overlapSeconds: number, precondition: Precondition): Promise<KeyRotationOutcome> {
    const secret = newSecret();
    return this.writer.write(async (tx) => {
      const row = await KEYS.find(tx.manager, keyId);
      if (row === null) throw notFound(`Key ${keyId}`);
      const refusal = refusalOf(precondition, row.version);
      if (refusal !== undefined) return { status: 'refused', refusal };
      const [now] = await tx.manager.query<{ until: Date }[]>(`SELECT clock_timestamp() + make_interval(secs => $1) AS until`, [overlapSeconds]);
      const previous = overlapSeconds === 0 || now === undefined ? { previousSha256: null, previousExpiresAt: null } : { previousSha256: row.secretSha256, previousExpiresAt: now.until };
      // Gateways have cached what becomes of the old secret, and perhaps of the one before it.
      tx.annotate(overlapSeconds === 0 ? 'secret rotated, the old one ended' : `secret rotated, the old one good for ${overlapSeconds} s`);
      const rotated = await KEYS.update(tx, row, { secretSha256: secretHash(secret), ...previous }, 'nodes');
      return { status: 'rotated', row: rotated, secret };
    });
  }

  remove(keyId: string, precondition: Precondition): Promise<RemovalOutcome> {
    return this.writer.write((tx) => KEYS.remove(tx, keyId, { precondition, reach: 'nodes' }));
  }

  /** Whose the key with this hash is; one indexed read. */
  async lookup(hash: string): Promise<KeyIdentity | undefined> {
    return (await this.identityWhere('key.secretSha256 = :value', hash)) ?? this.lookupReplaced(hash);
  }

  /** Whose secret this was until a rotation, while it is still good; by the database's clock, as it was written. */
  private async lookupReplaced(hash: string): Promise<KeyIdentity | undefined> {
    const [found] = await this.reader.manager.query<(KeyIdentity & { valid_for_seconds: number })[]>(
      `SELECT key_id, tenant_id, plan_id AS plan, disabled, extract(epoch FROM previous_expires_at - clock_timestamp())::float8 AS valid_for_seconds
       FROM api_key JOIN tenant USING (tenant_id) WHERE previous_sha256 = $1 AND previous_expires_at > clock_timestamp()`,
      [hash],
    );
    return found;
  }

  /** Whose key this is. */
  identity(keyId: string): Promise<KeyIdentity | undefined> {
    return this.identityWhere('key.id = :value', keyId);
  }

  private identityWhere(condition: string, value: string): Promise<KeyIdentity | undefined> {
    return this.reader.manager
      .createQueryBuilder(KeyRow, 'key')
      .innerJoin(TenantRow, 'tenant', 'tenant.id = key.tenantId')
      .where(condition, { value })
      .select(['key.id AS key_id', 'key.tenantId AS tenant_id', 'tenant.planId AS plan', 'key.disabled AS disabled'])
      .getRawOne<KeyIdentity>();
  }
}

function taken(keyId: string): ProblemException {
  return new ProblemException(problem(409, { type: problemType('already-exists'), title: 'Already exists', detail: `Key ${keyId} exists. A key cannot be replaced; create another.` }));
}
