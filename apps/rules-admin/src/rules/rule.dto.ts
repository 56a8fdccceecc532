import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { CONSISTENCIES, type Consistency, MAX_SHARDS, MODES, type Mode, type OnStoreFailure, REGION_MODES, type RegionMode, RULE_DEFAULTS, STORE_FAILURE_CHOICES } from '@sluice/rules';
import { IsIn } from 'class-validator';
import { ID_PATTERN, IsId } from '../input/is-id.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { ListQuery } from '../paging/list-query.dto.js';
import { PageFields } from '../paging/page.dto.js';
import { QuotaBody } from './quota.dto.js';

export class RuleIdParam {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'free-default' })
  @IsId()
  readonly rule_id!: string;
}

export class RuleRemovalQuery {
  @ApiPropertyOptional({ type: 'string', enum: ['delete'], description: '`delete`: live overrides of the rule go along, in the same version.' })
  @MayBeAbsent()
  @IsIn(['delete'])
  readonly overrides?: 'delete';
}

export class RulesQuery extends ListQuery {
  @ApiPropertyOptional({ type: 'string', pattern: ID_PATTERN, description: 'Only rules of this plan.' })
  @MayBeAbsent()
  @IsId()
  readonly plan?: string;
}

/** For the document alone; `ruleOfBody` reads it. */
@ApiSchema({ name: 'RuleBody', description: 'What a rule is replaced with. An absent field takes its default; an absent match field means any.' })
export class RuleBody extends QuotaBody {
  @ApiPropertyOptional({ type: 'string', maxLength: 128, description: 'Matches requests of this domain.' })
  readonly domain?: string;

  @ApiPropertyOptional({ type: 'string', pattern: ID_PATTERN, description: 'Matches keys of this plan, which must exist.', example: 'free' })
  readonly plan?: string;

  @ApiPropertyOptional({ type: 'string', maxLength: 512, description: 'Method and route template; a template without a method means any method, `*` any endpoint.', example: 'GET /v1/items/{id}' })
  readonly endpoint?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, maxProperties: 16, description: 'Further attributes that must be present; `*` means any value.', example: { region: 'eu' } })
  readonly descriptors?: Record<string, string>;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 8, uniqueItems: true, default: [...RULE_DEFAULTS.count_by], description: 'Attributes that are counted apart. A request that lacks one is not counted by this rule.' })
  readonly count_by?: string[];

  @ApiPropertyOptional({ type: 'string', pattern: '^[a-z0-9_.-]{1,64}$', default: RULE_DEFAULTS.policy, description: 'Of the rules of one policy the most specific applies; rules of different policies all apply.' })
  readonly policy?: string;

  @ApiPropertyOptional({ enum: MODES, default: RULE_DEFAULTS.mode, description: '`shadow` is evaluated where it would decide if it were enforced, and never enforced; `off` takes no part.' })
  readonly mode?: Mode;

  @ApiPropertyOptional({ enum: STORE_FAILURE_CHOICES, default: RULE_DEFAULTS.on_store_failure, description: 'What to do while the counter store is away.' })
  readonly on_store_failure?: OnStoreFailure;

  @ApiPropertyOptional({
    enum: CONSISTENCIES,
    default: RULE_DEFAULTS.consistency,
    description: '`exact`: the shared counter is asked every time. `leased`: nodes take permits in advance; never more than the limit passes. `approximate`: while more than 6 % of the limit is left, nodes admit without asking and report afterwards, every twentieth of the window, 20 ms to 1 s; near the limit they lease. All nodes together have at most 5 % of the limit (of the burst, where that is smaller) admitted and not reported, so by so much it can be passed, and by up to twice that in the second in which the fleet doubles. `sliding_log`, `shape` and `charge_denied` are asked every time, whatever is chosen. `gossip` is not available in this version and refused with 400.',
  })
  readonly consistency?: Consistency;

  @ApiPropertyOptional({
    enum: REGION_MODES,
    default: RULE_DEFAULTS.region_mode,
    description: 'Where the limit holds. `regional`: in each region by itself; `merged`: over all regions, as far as they exchange their use. `split` and `home` are not available in this version and refused with 400.',
  })
  readonly region_mode?: RegionMode;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 1, description: 'Ceiling of a lease in permits. Default: the engine decides.' })
  readonly max_lease?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_SHARDS, default: RULE_DEFAULTS.shards, description: 'Splits each counter over so many sub-counters, which lie on different masters of a cluster; each has its part of limit and burst, at least 20 permits. A cost above the smallest part is refused as cost_exceeds_limit. Not with sliding_log, shape, charge_denied or consistency approximate. A change starts the counters clean.' })
  readonly shards?: number;
}

@ApiSchema({ name: 'Rule' })
export class RuleResource extends RuleBody {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Counts the changes of this rule.' })
  readonly version!: number;
}

@ApiSchema({ name: 'RuleWarning', description: 'A rule that can never apply.' })
export class RuleWarningResource {
  @ApiProperty({ type: 'string', description: 'The rule that can never apply: the one written, or one that it hides now and did not before.', example: 'per-user' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'string', description: 'The more specific rule that applies whenever it would.', example: 'user' })
  readonly shadowed_by!: string;

  @ApiProperty({ type: 'string', example: 'can never apply: user is more specific and applies whenever it would' })
  readonly detail!: string;
}

@ApiSchema({ name: 'RuleWritten' })
export class RuleWritten {
  @ApiProperty({ type: 'string', example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, example: 2 })
  readonly version!: number;

  @ApiPropertyOptional({ type: () => RuleWarningResource, isArray: true, minItems: 1, description: 'What this write made odd; absent when nothing. A plan default limit that a rule for its plan hides is meant so, and not named.' })
  readonly warnings?: RuleWarningResource[];
}

@ApiSchema({ name: 'RulePage' })
export class RulePage extends PageFields {
  @ApiProperty({ type: () => RuleResource, isArray: true })
  readonly rules!: RuleResource[];
}
