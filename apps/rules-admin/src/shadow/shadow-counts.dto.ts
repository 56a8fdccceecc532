import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsString, Length, Matches, Max, Min, ValidateIf, ValidateNested } from 'class-validator';
import { IsInstant } from '../input/is-instant.js';
import { MayBeAbsent } from '../input/may-be-absent.js';

const PUBLISHED_ID = '^(proposed:)?[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$';
const MOST_COUNTS = 500;
/** Ten thousand times what a node can decide in a minute. */
const MOST_A_MINUTE = 1e12;

/** A count that only grows. */
function IsCount(description: string): PropertyDecorator {
  return (target, property) => {
    ApiProperty({ type: 'integer', format: 'int64', minimum: 0, maximum: MOST_A_MINUTE, description, example: 3 })(target, property);
    for (const check of [IsInt({ message: 'must be a whole number' }), Min(0), Max(MOST_A_MINUTE)]) check(target, property);
  };
}

@ApiSchema({ name: 'ShadowCount', description: 'What a rule in shadow would have said in one minute, counted by one node since it began.' })
export class ShadowCountBody {
  @ApiProperty({ type: 'string', pattern: PUBLISHED_ID, description: 'As in the snapshot; a proposal is `proposed:<rule_id>`.', example: 'proposed:free-default' })
  @IsString()
  @Matches(new RegExp(PUBLISHED_ID), { message: 'must be the id of a rule in a snapshot' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Version of the rule, or of the proposal.', example: 2 })
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly rule_version!: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When the minute begins.', example: '2026-12-01T14:02:00Z' })
  @IsInstant()
  readonly minute!: string;

  @ApiProperty({ type: 'string', nullable: true, minLength: 1, maxLength: 256, description: 'The key id, or what is counted by where there is none; null for all keys together, those that have no line of their own included.', example: 'demo-free' })
  @ValidateIf((_count, value) => value !== null)
  @IsString()
  @Length(1, 256)
  readonly key!: string | null;

  @IsCount('Requests that it would have admitted.')
  readonly allowed!: number;

  @IsCount('Requests that it would have refused.')
  readonly denied!: number;

  @IsCount('Requests of which that is not known, since the counter store did not answer.')
  readonly unknown!: number;
}

@ApiSchema({ name: 'ShadowCountsBody', description: 'Counts of one node. Cumulative: of what comes twice, late or out of order, the greatest stands.' })
export class ShadowCountsBody {
  @ApiProperty({ type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$', description: 'One run of a process; another one counts from 0.', example: 'Zk3v0aQ9b1xT' })
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{8,64}$/, { message: 'must be 8 to 64 letters, digits, _ and -' })
  readonly node_id!: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'With this body the node has sent all that it counted before this time.' })
  @MayBeAbsent()
  @IsInstant()
  readonly complete_until?: string;

  @ApiPropertyOptional({ type: 'boolean', default: false, description: 'The node counts nothing any more: nobody has to wait for it.' })
  @MayBeAbsent()
  @IsBoolean()
  readonly last?: boolean;

  @ApiProperty({ type: () => ShadowCountBody, isArray: true, maxItems: MOST_COUNTS })
  @IsArray()
  @ArrayMaxSize(MOST_COUNTS)
  @ValidateNested({ each: true })
  @Type(() => ShadowCountBody)
  readonly counts!: ShadowCountBody[];
}

@ApiSchema({ name: 'ShadowCountsTaken', description: 'What became of the counts.' })
export class ShadowCountsTaken {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Counts that were taken.', example: 12 })
  readonly accepted!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Counts of minutes that are over for an hour or lie ahead, and of rules that do not exist: they are of no use, and need not be sent again.', example: 0 })
  readonly ignored!: number;
}
