import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsObject, Max, Min } from 'class-validator';
import { ID_PATTERN } from '../input/is-id.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { RuleBody, RuleWarningResource } from '../rules/rule.dto.js';

const MAX_RULES = 20_000;

@ApiSchema({ name: 'RuleOfSet', description: 'A rule with its id, and without a version.' })
export class RuleOfSet extends RuleBody {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'free-default' })
  readonly rule_id!: string;
}

@ApiSchema({ name: 'ApplyRulesBody', description: 'All rules as they shall be: what is there and not in the set is deleted.' })
export class ApplyRulesBody {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Global version that the set was made from, as a list or the snapshot has it. When a rule was changed since, nothing is.', example: 17 })
  @IsInt({ message: 'must be a whole number' })
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly base_version!: number;

  // The fields of the rules are @sluice/rules' to judge: class-validator takes seconds for thousands of them.
  @ApiProperty({ type: () => RuleOfSet, isArray: true, maxItems: MAX_RULES })
  @IsArray()
  @ArrayMaxSize(MAX_RULES)
  @IsObject({ each: true, message: 'must hold objects alone' })
  readonly rules!: object[];

  @ApiPropertyOptional({ type: 'boolean', default: false, description: 'Only say what would be done.' })
  @MayBeAbsent()
  @IsBoolean()
  readonly dry_run?: boolean;
}

@ApiSchema({ name: 'RuleAndVersion' })
export class RuleAndVersion {
  @ApiProperty({ type: 'string', example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, example: 1 })
  readonly version!: number;
}

@ApiSchema({ name: 'RuleFieldChange', description: 'A field that changes; an absent one has its default. Neither value is there where the field says nothing.' })
export class RuleFieldChange {
  @ApiProperty({ type: 'string', example: 'limit' })
  readonly field!: string;

  @ApiPropertyOptional({ description: 'Any JSON.', example: 20, oneOf: [{}] })
  readonly before?: unknown;

  @ApiPropertyOptional({ description: 'Any JSON.', example: 50, oneOf: [{}] })
  readonly after?: unknown;
}

@ApiSchema({ name: 'RuleUpdate' })
export class RuleUpdateResource extends RuleAndVersion {
  @ApiProperty({ type: () => RuleFieldChange, isArray: true, minItems: 1 })
  readonly changes!: RuleFieldChange[];
}

@ApiSchema({ name: 'RulesApplied', description: 'What was done to the rules, or would be.' })
export class RulesApplied {
  @ApiProperty({ type: 'boolean', description: 'Whether nothing was done.' })
  readonly dry_run!: boolean;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Global version afterwards, to base the next set on; with `dry_run` the one now.', example: 18 })
  readonly version!: number;

  @ApiProperty({ type: () => RuleAndVersion, isArray: true, description: 'With the version that each begins with.' })
  readonly created!: RuleAndVersion[];

  @ApiProperty({ type: () => RuleUpdateResource, isArray: true, description: 'With the version that each goes to.' })
  readonly updated!: RuleUpdateResource[];

  @ApiProperty({ type: () => RuleAndVersion, isArray: true, description: 'With the version that each ended at.' })
  readonly deleted!: RuleAndVersion[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Rules that meant the same already; they keep their versions.' })
  readonly unchanged!: number;

  @ApiProperty({ type: () => RuleWarningResource, isArray: true, description: 'Rules of the set that can never apply.' })
  readonly warnings!: RuleWarningResource[];
}
