import { ALGORITHMS, CALENDAR_UNITS, type AlgorithmName, type Calendar } from '@sluice/algorithms';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { RULE_DEFAULTS } from '@sluice/rules';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsNumber, IsObject, IsString, ValidateNested } from 'class-validator';
import { MayBeAbsent } from '../input/may-be-absent.js';

// These classes say which fields there are and of which JSON type. What a value may be, and which go together, is said once, by
// @sluice/rules, which the service asks.

const LARGEST = Number.MAX_SAFE_INTEGER;

@ApiSchema({ name: 'Calendar', description: 'A window of the calendar in a time zone.' })
export class CalendarBody {
  @ApiProperty({ enum: CALENDAR_UNITS })
  @IsIn(CALENDAR_UNITS)
  readonly unit!: Calendar['unit'];

  @ApiProperty({ type: 'string', description: 'IANA name.', example: 'Europe/Berlin' })
  @IsString()
  readonly time_zone!: string;
}

@ApiSchema({ name: 'Quota', description: 'How much may pass.' })
export class QuotaBody {
  @ApiPropertyOptional({ enum: ALGORITHMS, default: RULE_DEFAULTS.algorithm })
  @MayBeAbsent()
  @IsIn(ALGORITHMS)
  readonly algorithm?: AlgorithmName;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, maximum: LARGEST, description: 'Permits per window.', example: 20 })
  @IsNumber({}, { message: 'must be a number' })
  readonly limit!: number;

  @ApiPropertyOptional({ type: 'number', minimum: 0.1, maximum: 31_622_400, description: 'Length of the window in whole milliseconds. Required without `calendar`.', example: 1 })
  @MayBeAbsent()
  @IsNumber({}, { message: 'must be a number' })
  readonly window_seconds?: number;

  @ApiPropertyOptional({ type: () => CalendarBody, description: 'Instead of `window_seconds`; for `fixed_window` only.' })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  @Type(() => CalendarBody)
  readonly calendar?: CalendarBody;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 1, maximum: LARGEST, description: 'Capacity of `token_bucket`, `leaky_bucket` and `gcra`. Default: the limit.' })
  @MayBeAbsent()
  @IsNumber({}, { message: 'must be a number' })
  readonly burst?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: RULE_DEFAULTS.sub_buckets, description: '`sliding_counter`: parts of the window that are counted apart; k of them pass at most 1/k too much.' })
  @MayBeAbsent()
  @IsNumber({}, { message: 'must be a number' })
  readonly sub_buckets?: number;

  @ApiPropertyOptional({ type: 'boolean', default: RULE_DEFAULTS.shape, description: '`leaky_bucket`: delay instead of deny while there is room.' })
  @MayBeAbsent()
  @IsBoolean()
  readonly shape?: boolean;

  @ApiPropertyOptional({ type: 'boolean', default: RULE_DEFAULTS.charge_denied, description: 'Count denials as use.' })
  @MayBeAbsent()
  @IsBoolean()
  readonly charge_denied?: boolean;
}
