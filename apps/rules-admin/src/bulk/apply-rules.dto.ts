import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ID_PATTERN } from '../input/is-id.js';
import { RuleBody, RuleWarningResource } from '../rules/rule.dto.js';

/** Most rules in a set. */
export const MAX_RULES = 20_000;

@ApiSchema({ name: 'RuleOfSet', description: 'A rule with its id.' })
export class RuleOfSet extends RuleBody {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'free-default' })
  readonly rule_id!: string;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 1, description: 'Means nothing: a rule may be sent as it was listed. Which rules are replaced `base_version` says.' })
  readonly version?: number;
}

/** For the document alone; `applyRequest` reads it. */
@ApiSchema({ name: 'ApplyRulesBody', description: 'All rules as they shall be: what is there and not in the set is deleted.' })
export class ApplyRulesBody {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Global version that the set was made from, as a list or the snapshot has it. When a rule was changed since, nothing is.', example: 17 })
  readonly base_version!: number;

  @ApiProperty({ type: () => RuleOfSet, isArray: true, maxItems: MAX_RULES })
  readonly rules!: RuleOfSet[];

  @ApiPropertyOptional({ type: 'boolean', default: false, description: 'Only say what would be done.' })
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
