import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { MODES, type Mode } from '@sluice/rules';
import { ArrayMaxSize, IsArray, IsInt, IsObject, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../input/may-be-absent.js';

/** Rules that may be asked about by name, at most. */
const MOST_ASKED = 50;

@ApiSchema({ name: 'ExplainRequest', description: 'A request as a node would see it.' })
export class ExplainBody {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    maxProperties: 64,
    description: '`domain`, `plan`, `endpoint` (method and path, or route template), `key_id`, `tenant_id`, `user_id`, `ip`, and any further descriptor. With a `key_id` of this control plane alone, its tenant and plan are filled in.',
    example: { key_id: 'key_3f2a', endpoint: 'GET /v1/items/7', ip: '203.0.113.9' },
  })
  @IsObject({ message: 'must be an object' })
  readonly attributes!: Record<string, string>;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'Permits that the request would take.' })
  @MayBeAbsent()
  @IsInt({ message: 'must be an integer' })
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly cost?: number;

  @ApiPropertyOptional({ type: 'string', isArray: true, maxItems: MOST_ASKED, description: 'Rules to explain even if they do not match: what keeps each away. `plan:<plan_id>` is a plan\'s default limit.', example: ['free-default'] })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MOST_ASKED)
  @IsString({ each: true, message: 'must be a list of ids' })
  readonly rules?: string[];
}

@ApiSchema({ name: 'ExplainedKey', description: 'The key of the request, as this control plane knows it.' })
export class ExplainedKeyResource {
  @ApiProperty({ type: 'string' })
  readonly key_id!: string;

  @ApiProperty({ type: 'string' })
  readonly tenant_id!: string;

  @ApiProperty({ type: 'string', description: "The tenant's plan." })
  readonly plan!: string;

  @ApiProperty({ type: 'boolean', description: 'A gateway refuses a disabled key with 401 before any limit is looked at.' })
  readonly disabled!: boolean;
}

@ApiSchema({ name: 'RuleExplanation', description: 'What a rule has to do with the request.' })
export class RuleExplanationResource {
  @ApiProperty({ type: 'string', description: 'A rule, or `plan:<plan_id>` for a plan\'s default limit.', example: 'free-default' })
  readonly rule_id!: string;

  @ApiPropertyOptional({ enum: MODES, description: '`shadow`: it is evaluated and refuses nobody. Absent of a rule that is not there.' })
  readonly mode?: Mode;

  @ApiProperty({ type: 'boolean', description: 'It decides this request, or in shadow would.' })
  readonly applies!: boolean;

  @ApiProperty({ type: 'boolean', description: 'It matches and counts the request; another one may apply instead.' })
  readonly matches!: boolean;

  @ApiProperty({ enum: ['most_specific', 'override', 'outranked', 'domain', 'plan', 'endpoint', 'descriptor', 'count_by', 'off', 'unknown_rule'], description: 'Why, in a word: the last seven are what keeps a rule away that does not match.' })
  readonly reason!: string;

  @ApiProperty({ type: 'string', description: 'The same for people.', example: 'free-items applies instead: a rule for plan and endpoint goes before a rule for a plan' })
  readonly detail!: string;

  @ApiPropertyOptional({ type: 'string', description: 'The rule that applies instead.' })
  readonly outranked_by?: string;

  @ApiPropertyOptional({ type: 'string', description: 'The override by which it applies.' })
  readonly override_id?: string;
}

@ApiSchema({ name: 'ExplainedOverride', description: "An override of the request's key." })
export class ExplainedOverrideResource {
  @ApiProperty({ type: 'string' })
  readonly override_id!: string;

  @ApiProperty({ type: 'string' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1 })
  readonly limit!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  readonly expires_at!: string;

  @ApiProperty({ type: 'boolean', description: 'Not yet expired.' })
  readonly live!: boolean;
}

@ApiSchema({ name: 'ExplainedLimit', description: 'One limit that applies, and how its counter stands.' })
export class ExplainedLimitResource {
  @ApiProperty({ type: 'string', example: 'default' })
  readonly policy!: string;

  @ApiProperty({ type: 'string', example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1 })
  readonly rule_version!: number;

  @ApiProperty({ enum: MODES, description: '`shadow` is evaluated and never enforced.' })
  readonly mode!: Mode;

  @ApiPropertyOptional({ type: 'string' })
  readonly override_id?: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'In force for this key, an override counted in.' })
  readonly limit!: number;

  @ApiProperty({ type: 'number', description: 'Length of the window.' })
  readonly window_seconds!: number;

  @ApiProperty({ type: 'string', isArray: true, description: 'What it counts apart.', example: ['key_id'] })
  readonly count_by!: readonly string[];

  @ApiPropertyOptional({ type: 'boolean', description: 'Whether it would let the request pass; absent while the counters cannot be read.' })
  readonly allowed?: boolean;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Permits left in the shared counter. What nodes hold as leases counts as used.' })
  readonly remaining?: number;

  @ApiPropertyOptional({ type: 'number', minimum: 0, description: 'Seconds until the counter is wholly free again.' })
  readonly reset_seconds?: number;

  @ApiPropertyOptional({ type: 'number', minimum: 0, description: 'Seconds until this request would pass; absent when it passes, or never can.' })
  readonly retry_after_seconds?: number;

  @ApiPropertyOptional({ enum: ['ok', 'quota', 'cost_exceeds_limit', 'store_unavailable'] })
  readonly reason?: string;
}

@ApiSchema({ name: 'ExplainedDecision', description: 'What the decision would be by the shared counters; a node with a lease in hand may still admit what they no longer would.' })
export class ExplainedDecisionResource {
  @ApiProperty({ type: 'boolean' })
  readonly allowed!: boolean;

  @ApiProperty({ enum: ['ok', 'no_rule', 'quota', 'cost_exceeds_limit', 'store_unavailable'] })
  readonly reason!: string;

  @ApiPropertyOptional({ type: 'number', minimum: 0, description: 'Seconds to wait, when it is refused and waiting helps.' })
  readonly retry_after_seconds?: number;
}

@ApiSchema({ name: 'Explanation' })
export class ExplanationResource {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Version of the snapshot that was looked at.' })
  readonly version!: number;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, description: 'The request as it was matched: what was filled in from the key, and what was brought into one spelling.' })
  readonly attributes!: Record<string, string>;

  @ApiProperty({ type: 'string', isArray: true, description: 'Attributes that were filled in from the key.', example: ['tenant_id', 'plan'] })
  readonly filled_in!: readonly string[];

  @ApiProperty({ type: 'string', isArray: true, description: 'What a gateway would do before any limit is looked at, or what lacks for an answer.', example: ['The key is disabled: a gateway refuses it with 401 before any limit is looked at.'] })
  readonly remarks!: readonly string[];

  @ApiPropertyOptional({ type: () => ExplainedKeyResource })
  readonly key?: ExplainedKeyResource;

  @ApiProperty({ type: () => RuleExplanationResource, isArray: true, description: 'Every rule that matches, the most specific first.' })
  readonly matching!: readonly RuleExplanationResource[];

  @ApiProperty({ type: () => RuleExplanationResource, isArray: true, description: 'The rules that were asked about and do not match, and those that lack nothing but an attribute to count by.' })
  readonly others!: readonly RuleExplanationResource[];

  @ApiProperty({ type: () => ExplainedOverrideResource, isArray: true })
  readonly overrides!: readonly ExplainedOverrideResource[];

  @ApiProperty({ type: () => ExplainedLimitResource, isArray: true, description: 'One for each policy, and those in shadow.' })
  readonly limits!: readonly ExplainedLimitResource[];

  @ApiPropertyOptional({ type: () => ExplainedDecisionResource, description: 'Absent where the counters cannot be read; `counters` says why.' })
  readonly decision?: ExplainedDecisionResource;

  @ApiProperty({ type: 'string', description: '`read`, or why not.', example: 'read' })
  readonly counters!: string;
}
