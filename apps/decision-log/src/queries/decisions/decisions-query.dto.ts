import { ApiPropertyOptional } from '@nestjs/swagger';
import { DECISION_KINDS, type DecisionKind } from '@sluice/events';
import { IsIn, IsString, Length, Matches } from 'class-validator';
import { IsInstant } from '../../input/is-instant.js';
import { IsAttribute, IsValue, LONGEST_ATTRIBUTE, LONGEST_VALUE } from '../../input/is-value.js';
import { MayBeAbsent } from '../../input/may-be-absent.js';
import { REASONS } from './decision.dto.js';

const DEFAULT_LIMIT = 50;
const ATTRIBUTE = { type: 'string', minLength: 1, maxLength: LONGEST_ATTRIBUTE } as const;
const VALUE = { type: 'string', minLength: 1, maxLength: LONGEST_VALUE } as const;

/** Which decisions are asked for; all that is given must hold. */
export class DecisionsQuery {
  @ApiPropertyOptional({ ...ATTRIBUTE, description: 'Only of this API key.', example: 'key_3f2a' })
  @MayBeAbsent()
  @IsAttribute()
  readonly key_id?: string;

  @ApiPropertyOptional({ ...ATTRIBUTE, description: "Only of this tenant. A tenant's token sees its own whatever is asked, and may not ask for others.", example: 'acme' })
  @MayBeAbsent()
  @IsAttribute()
  readonly tenant_id?: string;

  @ApiPropertyOptional({ ...ATTRIBUTE, description: 'Only from this address, as nodes write it.', example: '203.0.113.9' })
  @MayBeAbsent()
  @IsAttribute()
  readonly ip?: string;

  @ApiPropertyOptional({ ...ATTRIBUTE, description: 'Only of this user.', example: 'u-17' })
  @MayBeAbsent()
  @IsAttribute()
  readonly user_id?: string;

  @ApiPropertyOptional({ ...ATTRIBUTE, description: 'Only to this endpoint: method and route template, or path, as it was decided by.', example: 'GET /v1/items/{id}' })
  @MayBeAbsent()
  @IsAttribute()
  readonly endpoint?: string;

  @ApiPropertyOptional({ ...VALUE, description: 'Only where this rule is among the limits.', example: 'free-default' })
  @MayBeAbsent()
  @IsValue()
  readonly rule_id?: string;

  @ApiPropertyOptional({ ...VALUE, description: 'Only from this region.', example: 'eu' })
  @MayBeAbsent()
  @IsValue()
  readonly region?: string;

  @ApiPropertyOptional({ ...VALUE, description: `Only with this reason: ${REASONS}, or what later nodes say.`, example: 'quota' })
  @MayBeAbsent()
  @IsValue()
  readonly reason?: string;

  @ApiPropertyOptional({ enum: [...DECISION_KINDS, 'any'], default: 'decision', description: "What happened; `any` for all. A tenant's token sees decisions only." })
  @MayBeAbsent()
  @IsIn([...DECISION_KINDS, 'any'])
  readonly kind?: DecisionKind | 'any';

  @ApiPropertyOptional({ type: 'string', enum: ['true', 'false'], description: 'Only what passed, or only what was refused.' })
  @MayBeAbsent()
  @IsIn(['true', 'false'])
  readonly allowed?: 'true' | 'false';

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Only at this time or later. Default: an hour before `to`.', example: '2026-01-31T14:00:00Z' })
  @MayBeAbsent()
  @IsInstant()
  readonly from?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Only before this time. Default: now.', example: '2026-01-31T15:00:00Z' })
  @MayBeAbsent()
  @IsInstant()
  readonly to?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 500, default: DEFAULT_LIMIT, description: 'How many decisions a page has at most.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Matches(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, { message: 'must be a whole number from 1 to 500' })
  readonly limit?: string;

  @ApiPropertyOptional({ type: 'string', maxLength: 1024, description: 'The `next_cursor` of the page before, with the same other parameters. Opaque.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Length(1, 1024)
  readonly cursor?: string;
}

/** The page size that a query asks for. */
export function pageLimit({ limit }: DecisionsQuery): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}
