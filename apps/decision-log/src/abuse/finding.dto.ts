import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { FINDING_STATES, type FindingState } from './finding.js';
import { PATTERN_KINDS, type PatternKind } from './pattern.js';

const FINDING_ID = '^fnd_[0-9a-f]{20}$';
const FINDING = { type: 'string', pattern: FINDING_ID, example: 'fnd_3f2a9c04b1d85e6720aa' } as const;
const AT = { type: 'string', format: 'date-time', example: '2026-11-30T14:02:00.000Z' } as const;
const COUNT = { type: 'number', minimum: 0 } as const;
const LIMIT_PATTERN = /^([1-9]\d?|1\d\d|200)$/;

export class FindingIdParam {
  @ApiProperty(FINDING)
  @Matches(new RegExp(FINDING_ID), { message: 'must be an id of a finding, such as fnd_3f2a9c04b1d85e6720aa' })
  readonly finding_id!: string;
}

export class FindingsQuery {
  @ApiPropertyOptional({ type: 'string', description: 'Only those of this pattern.', example: 'refused-a-lot' })
  @MayBeAbsent()
  @Matches(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, { message: 'must be given once, the id of a pattern' })
  readonly pattern_id?: string;

  @ApiPropertyOptional({ type: 'string', enum: [...FINDING_STATES], description: 'Only those in this state.' })
  @MayBeAbsent()
  @IsIn(FINDING_STATES, { message: `must be given once, one of ${FINDING_STATES.join(', ')}` })
  readonly state?: FindingState;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'How many findings a page has at most.' })
  @MayBeAbsent()
  @Matches(LIMIT_PATTERN, { message: 'must be an integer from 1 to 200' })
  readonly limit?: string;

  @ApiPropertyOptional({ ...FINDING, description: '`next_cursor` of the page before.' })
  @MayBeAbsent()
  @Matches(new RegExp(FINDING_ID), { message: 'must be given once, the next_cursor of a page' })
  readonly cursor?: string;
}

@ApiSchema({ name: 'FindingOverride' })
export class FindingOverride {
  @ApiProperty({ type: 'string', example: 'key_3f2a' })
  readonly key_id!: string;

  @ApiProperty({ type: 'string', example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Permits per window of the rule.', example: 5 })
  readonly limit!: number;

  @ApiProperty({ ...AT, description: 'When it lifts itself; of one that was not made, when it would have.' })
  readonly expires_at!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Null while it is not made.', example: 'ovr_3f2a' })
  readonly override_id!: string | null;
}

@ApiSchema({ name: 'FindingLeftOut' })
export class FindingLeftOut {
  @ApiProperty({ type: 'string', example: 'key_3f2a' })
  readonly key_id!: string;

  @ApiProperty({ type: 'string', description: 'Why it has no override.' })
  readonly why!: string;
}

@ApiSchema({ name: 'Finding' })
export class FindingResource {
  @ApiProperty(FINDING)
  readonly finding_id!: string;

  @ApiProperty({ type: 'string', example: 'refused-a-lot' })
  readonly pattern_id!: string;

  @ApiProperty({ type: 'string', enum: [...PATTERN_KINDS] })
  readonly kind!: PatternKind;

  @ApiProperty({ type: 'string', enum: ['key', 'ip'] })
  readonly subject_kind!: 'key' | 'ip';

  @ApiProperty({ type: 'string', description: 'The key or the address.', example: 'key_3f2a' })
  readonly subject!: string;

  @ApiProperty(AT)
  readonly found_at!: string;

  @ApiProperty({ ...AT, description: 'Of the window, by the times of the events.' })
  readonly window_from!: string;

  @ApiProperty(AT)
  readonly window_to!: string;

  @ApiProperty({ ...COUNT, description: 'What was counted in the window.', example: 731 })
  readonly observed!: number;

  @ApiProperty({ ...COUNT, description: 'Of `observed`, where allowed requests are sampled; 0: it is exact.', example: 0 })
  readonly standard_error!: number;

  @ApiProperty({ ...COUNT, description: 'The mark that it was above.', example: 500 })
  readonly threshold!: number;

  @ApiProperty({ type: 'string', enum: [...FINDING_STATES], description: '`planning` and `applying` are tried again by themselves; `partly_applied` and `refused` say why in `left_out`.' })
  readonly state!: FindingState;

  @ApiProperty({ type: 'boolean', description: 'Its overrides are over; of one without, its subject may be found again.' })
  readonly over!: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'Who applied or dismissed it.', example: 'oidc:alice' })
  readonly by!: string | null;

  @ApiProperty({ ...AT, description: 'Until then the pattern does not take this subject up again.' })
  readonly held_until!: string;

  @ApiProperty({ type: () => FindingOverride, isArray: true, description: 'Made, or proposed.' })
  readonly overrides!: FindingOverride[];

  @ApiProperty({ type: () => FindingLeftOut, isArray: true })
  readonly left_out!: FindingLeftOut[];
}

@ApiSchema({ name: 'FindingPage' })
export class FindingPage {
  @ApiProperty({ type: () => FindingResource, isArray: true, description: 'The newest first. Kept in memory, 10,000 at most, and while something is done about them: what goes on after a restart is found again.' })
  readonly findings!: FindingResource[];

  @ApiProperty({ type: 'string', nullable: true, description: 'Asks for the next page; null on the last one.' })
  readonly next_cursor!: string | null;
}

@ApiSchema({ name: 'AbusePattern' })
export class AbusePatternResource {
  @ApiProperty({ type: 'string', example: 'refused-a-lot' })
  readonly pattern_id!: string;

  @ApiProperty({ type: 'string', enum: [...PATTERN_KINDS] })
  readonly kind!: PatternKind;

  @ApiProperty({ type: 'integer', minimum: 10, example: 300 })
  readonly window_seconds!: number;

  @ApiProperty({ type: 'string', enum: ['propose', 'apply'], description: 'What it does in fact: nothing but proposals in a dry run.' })
  readonly action!: 'propose' | 'apply';
}

@ApiSchema({ name: 'AbuseStatus' })
export class AbuseStatus {
  @ApiProperty({ type: 'boolean', description: 'Nothing is applied by itself.' })
  readonly dry_run!: boolean;

  @ApiProperty({ type: () => AbusePatternResource, isArray: true })
  readonly patterns!: AbusePatternResource[];

  @ApiProperty({ ...AT, nullable: true, description: 'When all patterns were last looked for; null: not yet.' })
  readonly looked_at!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the last look was not whole.' })
  readonly fault!: string | null;
}
