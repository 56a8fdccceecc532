import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { DecisionLimitResource, DecisionResource } from '../decisions/decision.dto.js';

const TEXT = { type: 'object', additionalProperties: true } as const;
const MOMENT = { type: 'string', format: 'date-time' } as const;

export const FOUND = ['refusal', 'decision', 'shadow', 'unauthenticated', 'nothing'] as const;
export const RULE_STATES = ['unchanged', 'changed', 'deleted', 'unknown'] as const;
export const OVERRIDE_STATES = ['live', 'changed', 'expired', 'removed', 'unknown'] as const;

@ApiSchema({ name: 'ToldClient', description: 'What the client was told.' })
export class ToldResource {
  @ApiProperty({ type: 'integer', enum: [401, 429, 503], description: 'Of a skin of Sluice; who asks the decision service answers as it likes.' })
  readonly status!: number;

  @ApiProperty({ type: 'integer', minimum: 1, nullable: true, description: '`Retry-After`; null where none was sent, since no waiting helps.', example: 12 })
  readonly retry_after_seconds!: number | null;

  @ApiProperty({ ...MOMENT, nullable: true, description: 'When that wait was over: the same request could pass again by then, if nobody else came.' })
  readonly retry_at!: string | null;
}

@ApiSchema({ name: 'RuleThen', description: 'The rule of a limit: its text when it decided, and what became of it.' })
export class RuleThenResource {
  @ApiProperty({ enum: RULE_STATES, description: 'Since the version that decided.' })
  readonly state!: (typeof RULE_STATES)[number];

  @ApiProperty({ ...TEXT, nullable: true, description: "At the version that decided, as the control plane shows it (the plan, for `plan:…`); null where that is not known. A tenant's token gets what concerns callers.", example: { rule_id: 'free-default', version: 3, plan: 'free', limit: 60, window_seconds: 60 } })
  readonly text!: object | null;

  @ApiProperty({ ...TEXT, nullable: true, description: 'As it is now; null where it is gone, unchanged or not known.' })
  readonly now!: object | null;

  @ApiProperty({ ...MOMENT, nullable: true, description: 'Its last change since; null where there was none.' })
  readonly changed_at!: string | null;
}

@ApiSchema({ name: 'OverrideThen', description: 'The override that decided, and what became of it.' })
export class OverrideThenResource {
  @ApiProperty({ type: 'string', example: 'ovr_3f2a' })
  readonly override_id!: string;

  @ApiProperty({ enum: OVERRIDE_STATES, description: '`changed`: in force, with another limit or end than then. `removed`: ended by somebody before its time.' })
  readonly state!: (typeof OVERRIDE_STATES)[number];

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, nullable: true, description: 'Its limit then, as the control plane had it; null where that is not known.' })
  readonly limit!: number | null;

  @ApiProperty({ ...MOMENT, nullable: true, description: 'Its end as it was set then.' })
  readonly expires_at!: string | null;

  @ApiProperty({ ...MOMENT, nullable: true, description: 'When it ended; null while it has not, or nobody knows.' })
  readonly ended_at!: string | null;

  @ApiPropertyOptional({ type: 'string', description: "What it was for. Never for a tenant's token.", example: 'Launch week, ticket 4711' })
  readonly reason?: string;
}

@ApiSchema({ name: 'LimitInForce', description: 'A limit that would apply to the same request now.' })
export class LimitInForceResource {
  @ApiProperty({ type: 'string', example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1 })
  readonly rule_version!: number;

  @ApiProperty({ type: 'string', nullable: true })
  readonly override_id!: string | null;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1 })
  readonly limit!: number;

  @ApiProperty({ type: 'number' })
  readonly window_seconds!: number;
}

@ApiSchema({ name: 'ExplainedLimit', description: 'A limit as it stood, its rule and its override. The counters are those of the node at that moment.' })
export class ExplainedLimitResource extends DecisionLimitResource {
  @ApiProperty({ type: 'boolean', description: 'It decided. Others may have refused as well: `allowed`.' })
  readonly deciding!: boolean;

  @ApiProperty({ type: () => RuleThenResource })
  readonly rule!: RuleThenResource;

  @ApiProperty({ type: () => OverrideThenResource, nullable: true, description: "Null where the limit was the rule's own." })
  readonly override!: OverrideThenResource | null;

  @ApiProperty({ type: 'boolean', description: 'Whether `in_force_now` could be found out: the control plane answered, the event has all that the rule looks at, and the key is still there and of the same tenant.' })
  readonly in_force_known!: boolean;

  @ApiProperty({ type: () => LimitInForceResource, nullable: true, description: 'What applies in its policy now; null where nothing does, or it is not known.' })
  readonly in_force_now!: LimitInForceResource | null;
}

@ApiSchema({ name: 'AroundDecision', description: 'The minute around the decision, for the same key (where none is known, the same address).' })
export class AroundResource {
  @ApiProperty(MOMENT)
  readonly from!: string;

  @ApiProperty(MOMENT)
  readonly to!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Refusals, all of them.' })
  readonly refused!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Requests, refused ones among them.' })
  readonly requests!: number;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'Whether `requests` is an estimate from a sample of what passed. Null where nothing that passed is recorded in the hour around, so that it is not known.' })
  readonly sampled!: boolean | null;

  @ApiProperty({ type: 'number', minimum: 0, nullable: true, description: 'Of `requests`; 0 when exact, null where nothing was drawn by which it could be told.' })
  readonly standard_error!: number | null;
}

@ApiSchema({ name: 'DecisionExplanation', description: 'Why a request was decided as it was.' })
export class DecisionExplanation {
  @ApiProperty({ enum: FOUND, description: '`refusal`: what was asked for. `decision`: there was no refusal, and this is what comes nearest. `nothing`: nothing is recorded, which does not mean that nothing happened: of what passes a sample is recorded.' })
  readonly found!: (typeof FOUND)[number];

  @ApiProperty({ type: 'string', description: 'What happened, in words for the customer: it can be sent on as it is.', example: 'On 31 January 2026 at 14:02:07 UTC, a request to GET /v1/items/{id} with your API key key_3f2a was refused because the limit of 60 requests per minute was used up; the answer said to wait 12 seconds, until 14:02:19 UTC.' })
  readonly sentence!: string;

  @ApiProperty({ type: 'string', isArray: true, description: 'What an operator wants to know beside it.' })
  readonly notes!: readonly string[];

  @ApiPropertyOptional({ type: () => DecisionResource, description: 'Absent where nothing is recorded.' })
  readonly decision?: DecisionResource;

  @ApiPropertyOptional({ type: 'number', description: 'From `at` to the decision; negative when it was earlier.', example: 7.412 })
  readonly seconds_from_at?: number;

  @ApiPropertyOptional({ type: () => ToldResource, description: 'Of a refusal.' })
  readonly told?: ToldResource;

  @ApiProperty({ type: () => ExplainedLimitResource, isArray: true, description: 'Every limit that applied, the deciding one first.' })
  readonly limits!: readonly ExplainedLimitResource[];

  @ApiPropertyOptional({ type: () => AroundResource })
  readonly around?: AroundResource;

  @ApiProperty({ type: 'boolean', description: 'Whether the control plane answered all that it was asked. Without it there are no texts of rules, and nothing is said of now.' })
  readonly control_plane_answered!: boolean;
}
