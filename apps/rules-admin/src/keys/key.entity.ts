import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { VersionedRow } from '../database/versioned-row.js';
import { TenantRow } from '../tenants/tenant.entity.js';

/** An API key of a tenant. The secret is not here: its hash is. */
@Entity('api_key')
@Index('api_key_changed_at_version', ['changedAtVersion'])
@Check('api_key_previous', "(previous_sha256 IS NULL) = (previous_expires_at IS NULL) AND (previous_sha256 ~ '^[0-9a-f]{64}$')")
@Check('api_key_secret_is_hash', "secret_sha256 ~ '^[0-9a-f]{64}$'")
export class KeyRow extends VersionedRow {
  @PrimaryColumn({ name: 'key_id', type: 'text', collation: 'C' })
  id!: string;

  @Index('api_key_tenant_id')
  @Column({ name: 'tenant_id', type: 'text', collation: 'C' })
  tenantId!: string;

  @Column({ name: 'name', type: 'text' })
  name!: string;

  /** SHA-256 of the secret, lower-case hex. Secrets are 256 random bits, so that no slow hash is needed. */
  @Index('api_key_secret_sha256', { unique: true })
  @Column({ name: 'secret_sha256', type: 'text', collation: 'C' })
  secretSha256!: string;

  /** The secret before the last rotation, while it is still good. */
  @Index('api_key_previous_sha256', { unique: true })
  @Column({ name: 'previous_sha256', type: 'text', collation: 'C', nullable: true })
  previousSha256!: string | null;

  @Column({ name: 'previous_expires_at', type: 'timestamptz', nullable: true })
  previousExpiresAt!: Date | null;

  @Column({ name: 'disabled', type: 'boolean' })
  disabled!: boolean;

  @ManyToOne(() => TenantRow, { onDelete: 'NO ACTION' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'api_key_tenant_id_fkey' })
  readonly tenant?: TenantRow;
}
