import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Role } from '../access/role.js';
import { VersionedRow } from '../database/versioned-row.js';
import { TenantRow } from '../tenants/tenant.entity.js';

/** A token that opens the API. The token is not here: its hash is. */
@Entity('admin_token')
@Check('admin_token_is_hash', "token_sha256 ~ '^[0-9a-f]{64}$'")
@Check('admin_token_role', "role IN ('viewer', 'editor', 'admin', 'node', 'tenant')")
@Check('admin_token_tenant', "(role = 'tenant') = (tenant_id IS NOT NULL)")
@Index('admin_token_changed_at_version', ['changedAtVersion'])
export class AdminTokenRow extends VersionedRow {
  /** Its name; who acts with it is `token:NAME`. */
  @PrimaryColumn({ name: 'name', type: 'text', collation: 'C' })
  id!: string;

  @Column({ name: 'role', type: 'text' })
  role!: Role;

  /** Whose decisions it shows; of the role `tenant` alone. */
  @Index('admin_token_tenant_id')
  @Column({ name: 'tenant_id', type: 'text', collation: 'C', nullable: true })
  tenantId!: string | null;

  /** SHA-256 of the token, lower-case hex. Tokens are 256 random bits, so that no slow hash is needed. */
  @Index('admin_token_sha256', { unique: true })
  @Column({ name: 'token_sha256', type: 'text', collation: 'C' })
  tokenSha256!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Who created it. */
  @Column({ name: 'created_by', type: 'text' })
  createdBy!: string;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Coarse, and no change of the token: no version, no audit. */
  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @ManyToOne(() => TenantRow, { onDelete: 'NO ACTION' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'admin_token_tenant_id_fkey' })
  readonly tenant?: TenantRow;
}
