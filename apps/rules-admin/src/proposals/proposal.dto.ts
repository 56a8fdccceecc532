import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ID_PATTERN } from '../input/is-id.js';
import { RuleBody, RuleWarningResource } from '../rules/rule.dto.js';

const BASE_VERSION = { type: 'integer', format: 'int64', minimum: 1, description: 'Version of the rule that the proposal would replace. It can be promoted as long as the rule is at it.', example: 4 } as const;

@ApiSchema({ name: 'Proposal', description: 'What a rule shall become, evaluated beside the version in force and never enforced.' })
export class ProposalResource extends RuleBody {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, description: 'The rule.', example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Counts the changes of the proposal; goes on when a rule is proposed to be changed again later.', example: 2 })
  readonly version!: number;

  @ApiProperty(BASE_VERSION)
  readonly base_version!: number;
}

@ApiSchema({ name: 'ProposalWritten', description: 'What a write of a proposal came to.' })
export class ProposalWritten {
  @ApiProperty({ type: 'string', description: 'The rule.', example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Version of the proposal.', example: 2 })
  readonly version!: number;

  @ApiProperty(BASE_VERSION)
  readonly base_version!: number;

  @ApiPropertyOptional({ type: () => RuleWarningResource, isArray: true, minItems: 1, description: 'What the promotion would make odd; absent when nothing.' })
  readonly warnings?: RuleWarningResource[];
}
