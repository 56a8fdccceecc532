import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInstant } from '../../input/is-instant.js';
import { IsAttribute, IsValue, LONGEST_ATTRIBUTE, LONGEST_VALUE } from '../../input/is-value.js';
import { MayBeAbsent } from '../../input/may-be-absent.js';

const ATTRIBUTE = { type: 'string', minLength: 1, maxLength: LONGEST_ATTRIBUTE } as const;
const VALUE = { type: 'string', minLength: 1, maxLength: LONGEST_VALUE } as const;

/** When it happened. */
export class RangeQuery {
  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Only at this time or later, at most 31 days before `to`. Default: an hour before `to`.', example: '2026-01-31T14:00:00Z' })
  @MayBeAbsent()
  @IsInstant()
  readonly from?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Only before this time. Default: now.', example: '2026-01-31T15:00:00Z' })
  @MayBeAbsent()
  @IsInstant()
  readonly to?: string;
}

/** Which decisions are summed; all that is given must hold. */
export class SumsQuery extends RangeQuery {
  @ApiPropertyOptional({ ...ATTRIBUTE, description: 'Only of this API key.', example: 'key_3f2a' })
  @MayBeAbsent()
  @IsAttribute()
  readonly key_id?: string;

  @ApiPropertyOptional({ ...ATTRIBUTE, description: "Only of this tenant. A tenant's token sees its own whatever is asked, and may not ask for others.", example: 'acme' })
  @MayBeAbsent()
  @IsAttribute()
  readonly tenant_id?: string;

  @ApiPropertyOptional({ ...VALUE, description: 'Only where this rule is among the limits.', example: 'free-default' })
  @MayBeAbsent()
  @IsValue()
  readonly rule_id?: string;

  @ApiPropertyOptional({ ...VALUE, description: 'Only in this region.', example: 'eu' })
  @MayBeAbsent()
  @IsValue()
  readonly region?: string;
}
