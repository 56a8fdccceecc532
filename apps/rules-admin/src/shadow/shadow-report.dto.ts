import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsString, Length, Matches } from 'class-validator';
import { IsInstant } from '../input/is-instant.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { ListQuery } from '../paging/list-query.dto.js';

/** Which of a rule's two shadows. */
export const SUBJECTS = ['rule', 'proposal'] as const;
export type Subject = (typeof SUBJECTS)[number];

export class ShadowReportQuery extends ListQuery {
  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Default: an hour before `to`. At most 7 days ago.' })
  @MayBeAbsent()
  @IsInstant()
  readonly from?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Default: now.' })
  @MayBeAbsent()
  @IsInstant()
  readonly to?: string;

  @ApiPropertyOptional({ type: 'string', maxLength: 256, description: 'Only this key.' })
  @MayBeAbsent()
  @IsString()
  @Length(1, 256)
  readonly key_id?: string;

  @ApiPropertyOptional({ enum: SUBJECTS, description: 'Default: the proposal where there is one, else the rule.' })
  @MayBeAbsent()
  @IsIn(SUBJECTS)
  readonly of?: Subject;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Version of the rule or of the proposal; default: the one of now. With `of`, also of a shadow that is promoted or discarded by now.' })
  @MayBeAbsent()
  @IsString()
  @Matches(/^[1-9]\d{0,14}$/, { message: 'must be a version' })
  readonly version?: string;
}

const COUNT = { type: 'integer', format: 'int64', minimum: 0 } as const;

@ApiSchema({ name: 'ShadowTotals', description: 'What came of the requests that the rule would have decided.' })
export class ShadowTotals {
  @ApiProperty({ ...COUNT, description: 'Requests that it was evaluated for. One that a limit of another policy refused is not among them.', example: 1200 })
  readonly evaluated!: number;

  @ApiProperty({ ...COUNT, description: 'Those that it would have refused.', example: 30 })
  readonly would_refuse!: number;
}

@ApiSchema({ name: 'ShadowShare', description: 'All keys together.' })
export class ShadowShare extends ShadowTotals {
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, description: '`would_refuse` of `evaluated`; 0 of none.', example: 0.025 })
  readonly share!: number;

  @ApiProperty({ ...COUNT, description: 'Requests of which it is not known, since the counter store did not answer. They are not in `evaluated`.', example: 0 })
  readonly unknown!: number;
}

@ApiSchema({ name: 'ShadowBucket', description: 'A part of the time.' })
export class ShadowBucket extends ShadowTotals {
  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it begins.', example: '2026-12-01T14:02:00.000Z' })
  readonly starts_at!: string;
}

@ApiSchema({ name: 'ShadowKey', description: 'One key.' })
export class ShadowKey extends ShadowTotals {
  @ApiProperty({ type: 'string', description: 'The key id; of requests without one what the rule counts by, as `ip=192.0.2.1`.', example: 'demo-free' })
  readonly key!: string;
}

@ApiSchema({ name: 'ShadowReport', description: 'What a rule in shadow, or a proposal, would have refused.' })
export class ShadowReportResource {
  @ApiProperty({ type: 'string', description: 'The rule.', example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ enum: SUBJECTS, description: 'Whether the rule itself is in shadow, or its proposal is meant.' })
  readonly of!: Subject;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Version of the rule or of the proposal.', example: 2 })
  readonly version!: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Begin of the time, a whole minute.' })
  readonly from!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'End of the time.' })
  readonly to!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'What was counted before this time is all in: every node that counts has sent it. Null when no node counted within ten minutes.' })
  readonly complete_until!: string | null;

  @ApiProperty({ type: 'boolean', enum: [false], description: 'Every request is counted.' })
  readonly sampled!: false;

  @ApiProperty({ type: () => ShadowShare })
  readonly totals!: ShadowShare;

  @ApiProperty({ type: 'integer', enum: [60, 300, 3600], description: 'Length of the parts in `over_time`: up to 2 hours in minutes, up to a day in 5 minutes. What is older than a day is kept by the hour.' })
  readonly bucket_seconds!: number;

  @ApiProperty({ type: () => ShadowBucket, isArray: true, description: 'Parts of the time in which it was evaluated.' })
  readonly over_time!: ShadowBucket[];

  @ApiProperty({ type: () => ShadowKey, isArray: true, description: 'Keys, those first that it would have refused most.' })
  readonly by_key!: ShadowKey[];

  @ApiPropertyOptional({ type: () => ShadowTotals, description: 'What is in `totals` and in no key: nodes name the 1,000 keys of a minute with the most refusals. Absent with `key_id`.' })
  readonly other?: ShadowTotals;

  @ApiProperty({ type: 'string', nullable: true, description: 'Asks for further keys; null on the last page.' })
  readonly next_cursor!: string | null;
}
