import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { IsInstant } from '../input/is-instant.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { PlanResource } from '../plans/plan.dto.js';
import { RuleBody } from '../rules/rule.dto.js';

export class SnapshotQuery {
  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Version that the caller holds: the answer may then be the changes since.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Matches(/^\d{1,15}$/, { message: 'must be a version' })
  readonly since?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Asks for what was in force at this time, whole, as nodes had it then. Takes the role viewer.', example: '2026-01-01T14:02:00Z' })
  @MayBeAbsent()
  @IsInstant()
  readonly at?: string;
}

@ApiSchema({ name: 'Override', description: 'Another limit of one rule for one key, until it expires.' })
export class OverrideResource {
  @ApiProperty({ type: 'string' })
  readonly override_id!: string;

  @ApiProperty({ type: 'string' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'string' })
  readonly key_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1 })
  readonly limit!: number;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 1 })
  readonly burst?: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  readonly expires_at!: string;
}

@ApiSchema({ name: 'PublishedRule', description: 'A rule as nodes get it: as stored, or a proposed version of one, in shadow under a reserved id.' })
export class PublishedRule extends RuleBody {
  @ApiProperty({ type: 'string', pattern: '^(proposed:)?[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$', description: 'The rule, or `proposed:<rule_id>`.', example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Version of the rule, or of the proposal.' })
  readonly version!: number;
}

@ApiSchema({ name: 'Snapshot', description: 'All plans, rules and live overrides at one version.' })
export class SnapshotResource {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Handed out in commit order.' })
  readonly version!: number;

  @ApiProperty({ type: () => PlanResource, isArray: true })
  readonly plans!: PlanResource[];

  @ApiProperty({ type: () => PublishedRule, isArray: true })
  readonly rules!: PublishedRule[];

  @ApiProperty({ type: () => OverrideResource, isArray: true })
  readonly overrides!: OverrideResource[];
}

@ApiSchema({ name: 'SnapshotDelta', description: 'What changed after `since`; changed parts come whole, deleted ones by id.' })
@ApiExtraModels(SnapshotResource)
export class SnapshotDeltaResource extends SnapshotResource {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'What the changes build on; tells this body from a whole snapshot.' })
  readonly since!: number;

  @ApiProperty({ type: 'string', isArray: true })
  readonly deleted_plans!: string[];

  @ApiProperty({ type: 'string', isArray: true })
  readonly deleted_rules!: string[];

  @ApiProperty({ type: 'string', isArray: true })
  readonly deleted_overrides!: string[];
}
