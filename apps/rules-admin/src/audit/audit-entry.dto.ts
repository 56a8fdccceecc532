import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { AUDIT_ACTIONS, type AuditAction } from '../change-log/audit-entry.entity.js';
import { RESOURCE_KINDS, type ResourceKind } from '../database/tombstone.entity.js';
import { PageFields } from '../paging/page.dto.js';

@ApiSchema({ name: 'AuditEntry', description: 'What one change did to one resource. Entries are never changed or removed.' })
export class AuditEntryResource {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Global version of the change. What was changed together has the same.', example: 17 })
  readonly version!: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When, by the clock of the database, to the microsecond; rises with the version. As `at` of the snapshot it asks for what was in force after the change.', example: '2026-01-01T14:02:00.123456Z' })
  readonly at!: string;

  @ApiProperty({ type: 'string', description: '`token:NAME`, `oidc:SUBJECT` or `system:NAME`.', example: 'token:environment' })
  readonly actor!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'What the log of the service has the request under; null for what the system did by itself.' })
  readonly request_id!: string | null;

  @ApiProperty({ enum: RESOURCE_KINDS, example: 'rule' })
  readonly kind!: ResourceKind;

  @ApiProperty({ type: 'string', example: 'free-default' })
  readonly id!: string;

  @ApiProperty({ enum: AUDIT_ACTIONS, description: '`baseline` says what was there when the log began, or was found to have changed without it.', example: 'updated' })
  readonly action!: AuditAction;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, nullable: true, description: 'Version of the resource before; null where there was none.', example: 1 })
  readonly from_version!: number | null;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, nullable: true, description: 'Version of the resource after; null when it was deleted.', example: 2 })
  readonly to_version!: number | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'The resource before, as the API showed it; never a secret.' })
  readonly before!: object | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'The resource after, as the API showed it; never a secret.' })
  readonly after!: object | null;

  @ApiPropertyOptional({ type: 'string', description: 'What the change was for, where that cannot be seen from it.', example: 'rolled back to version 3' })
  readonly note?: string;
}

@ApiSchema({ name: 'AuditPage', description: 'Changes, the newest first.' })
export class AuditPage extends PageFields {
  @ApiProperty({ type: () => AuditEntryResource, isArray: true })
  readonly entries!: AuditEntryResource[];
}
