import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsNumber, IsString, Matches, ValidateIf } from 'class-validator';
import { ID_PATTERN, IsId } from '../input/is-id.js';
import { IsText } from '../input/is-text.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { ListQuery } from '../paging/list-query.dto.js';
import { PageFields } from '../paging/page.dto.js';

const TARGET_PATTERN = ID_PATTERN.replace('^', '^(plan:)?');
const IsTarget = (): PropertyDecorator => Matches(new RegExp(TARGET_PATTERN), { message: "must be a rule's id, or plan: and a plan's id" });

const PERMITS = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
const IsPermits = (): PropertyDecorator => IsNumber({}, { message: 'must be a number' });
const IsMoment = (): PropertyDecorator => IsString({ message: 'must be an ISO 8601 date and time with a zone, such as 2027-01-31T12:00:00Z' });

/** Absent leaves the field as it is, null takes it away. */
const MayBeNull = (): PropertyDecorator => ValidateIf((_object, value) => value !== undefined && value !== null);

const KEY = { type: 'string', pattern: ID_PATTERN, example: 'key_3f2a' } as const;
const TARGET = { type: 'string', pattern: TARGET_PATTERN, example: 'free-default' } as const;
const BURST = 'Only where the algorithm of the rule has a burst, and a full one must drain within 366 days (burst x window / limit); the same goes for the proposed version of the rule. Absent: the burst of the rule, in proportion to the limits.';
const EXPIRY = 'ISO 8601 with a zone; in the future by the clock of the database, and at most 366 days ahead. Kept to the millisecond.';
const REASON = { type: 'string', minLength: 1, maxLength: 256, description: 'For people.', example: 'Launch week, ticket 4711' } as const;

export class OverrideIdParam {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'ovr_3f2a' })
  @IsId()
  readonly override_id!: string;
}

export class OverridesQuery extends ListQuery {
  @ApiPropertyOptional({ ...KEY, description: 'Only overrides for this key.' })
  @MayBeAbsent()
  @IsId()
  readonly key_id?: string;

  @ApiPropertyOptional({ ...TARGET, description: 'Only overrides of this rule, or by `plan:free` of the default limit of a plan.' })
  @MayBeAbsent()
  @IsTarget()
  readonly rule_id?: string;

  @ApiPropertyOptional({ type: 'string', enum: ['true', 'false'], description: 'Only those that have not expired by the clock of the database, or only those that have and are still there.' })
  @MayBeAbsent()
  @IsIn(['true', 'false'])
  readonly live?: 'true' | 'false';
}

@ApiSchema({ name: 'NewOverride' })
export class NewOverrideBody {
  @ApiProperty({ ...KEY, description: 'The API key, which must exist.' })
  @IsId()
  readonly key_id!: string;

  @ApiProperty({ ...TARGET, description: 'The rule, which must exist; `plan:free` for the default limit of a plan.' })
  @IsTarget()
  readonly rule_id!: string;

  @ApiProperty({ ...PERMITS, description: 'Permits per window of the rule.', example: 500 })
  @IsPermits()
  readonly limit!: number;

  @ApiPropertyOptional({ ...PERMITS, description: BURST })
  @MayBeAbsent()
  @IsPermits()
  readonly burst?: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: EXPIRY, example: '2027-01-31T12:00:00Z' })
  @IsMoment()
  readonly expires_at!: string;

  @ApiPropertyOptional(REASON)
  @MayBeAbsent()
  @IsText(256)
  readonly reason?: string;
}

@ApiSchema({ name: 'OverridePatch', description: 'What changes of an override; an absent field stays.' })
export class OverridePatchBody {
  @ApiPropertyOptional(PERMITS)
  @MayBeAbsent()
  @IsPermits()
  readonly limit?: number;

  @ApiPropertyOptional({ ...PERMITS, nullable: true, description: `${BURST} Null takes it away.` })
  @MayBeNull()
  @IsPermits()
  readonly burst?: number | null;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: `${EXPIRY} To end an override now, delete it.` })
  @MayBeAbsent()
  @IsMoment()
  readonly expires_at?: string;

  @ApiPropertyOptional({ ...REASON, nullable: true, description: 'For people. Null takes it away.' })
  @MayBeNull()
  @IsText(256)
  readonly reason?: string | null;
}

@ApiSchema({ name: 'OverrideDetail', description: 'An override as admins see it.' })
export class OverrideDetail extends NewOverrideBody {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'ovr_3f2a' })
  readonly override_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Counts the changes of this override.' })
  readonly version!: number;
}

@ApiSchema({ name: 'OverrideWritten' })
export class OverrideWritten {
  @ApiProperty({ type: 'string', example: 'ovr_3f2a' })
  readonly override_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, example: 1 })
  readonly version!: number;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string' }, minItems: 1, description: 'What is odd about it; absent when nothing.', example: ['The rule is off, and its overrides rest with it.'] })
  readonly warnings?: string[];
}

@ApiSchema({ name: 'OverridePage' })
export class OverridePage extends PageFields {
  @ApiProperty({ type: () => OverrideDetail, isArray: true })
  readonly overrides!: OverrideDetail[];
}
