import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { RESOURCE_KINDS, type ResourceKind } from '../database/tombstone.entity.js';
import { ID_PATTERN, IsId } from '../input/is-id.js';
import { IsInstant } from '../input/is-instant.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { ListQuery } from '../paging/list-query.dto.js';

/** Which changes are asked for; all that is given must hold. */
export class AuditQuery extends ListQuery {
  @ApiPropertyOptional({ enum: RESOURCE_KINDS, description: 'Only changes of resources of this kind.' })
  @MayBeAbsent()
  @IsIn(RESOURCE_KINDS)
  readonly kind?: ResourceKind;

  @ApiPropertyOptional({ type: 'string', pattern: ID_PATTERN, description: 'Only changes of resources with this id.', example: 'free-default' })
  @MayBeAbsent()
  @IsId()
  readonly id?: string;

  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 512, description: 'Only changes by them.', example: 'token:environment' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Length(1, 512)
  readonly actor?: string;

  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 128, description: 'Only what this request changed (`X-Request-Id`).' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Length(1, 128)
  readonly request_id?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Only changes at this time or later.', example: '2026-01-01T14:00:00Z' })
  @MayBeAbsent()
  @IsInstant()
  readonly from?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Only changes before this time.', example: '2026-01-01T15:00:00Z' })
  @MayBeAbsent()
  @IsInstant()
  readonly to?: string;
}
