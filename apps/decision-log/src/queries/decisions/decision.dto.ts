import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { DECISION_KINDS, type DecisionKind } from '@sluice/events';

/** What this version knows. Reasons and sources are open names: later nodes may have others. */
export const REASONS = ['ok', 'no_rule', 'quota', 'cost_exceeds_limit', 'store_unavailable', 'shadow', 'no_credentials', 'unknown_credentials'].map((name) => `\`${name}\``).join(', ');

@ApiSchema({ name: 'DecisionLimit', description: 'One limit that applied, as it stood for the node that decided.' })
export class DecisionLimitResource {
  @ApiProperty({ type: 'string', example: 'default' })
  readonly policy!: string;

  @ApiProperty({ type: 'string', description: "A rule; `plan:<plan_id>` for a plan's default limit, `proposed:<rule_id>` for a proposed version of a rule.", example: 'free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Version of the rule (of the plan, of the proposal) that was in force on the node.', example: 3 })
  readonly rule_version!: number;

  @ApiProperty({ type: 'string', nullable: true, description: "The override whose limit it was; null for the rule's own.", example: null })
  readonly override_id!: string | null;

  @ApiProperty({ type: 'boolean' })
  readonly allowed!: boolean;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Permits per window.', example: 60 })
  readonly limit!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Length of the window; of a calendar month or year nominal.', example: 60 })
  readonly window_seconds!: number;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Permits left after it, as the node knew.', example: 0 })
  readonly remaining!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Seconds until the counter would have been wholly free again.', example: 41.2 })
  readonly reset_seconds!: number;

  @ApiProperty({ type: 'number', minimum: 0, nullable: true, description: 'Seconds until it would have let the request pass; 0 when it did, null when no waiting helps.', example: 11.8 })
  readonly retry_after_seconds!: number | null;

  @ApiProperty({ type: 'string', description: '`local`: permits that the node held; `store`: the shared counter; `fallback`: the node alone, while the counters could not be reached; `none` of a rule in shadow. Later nodes may say something else.', example: 'store' })
  readonly source!: string;

  @ApiProperty({ type: 'string', description: `${REASONS}; later nodes may say something else.`, example: 'quota' })
  readonly reason!: string;
}

@ApiSchema({ name: 'Decision', description: 'One decision of a node, a refusal of a rule in shadow, or a request without known credentials.' })
export class DecisionResource {
  @ApiProperty({ type: 'string', example: '6f1d2c9a:1204' })
  readonly event_id!: string;

  @ApiProperty({ enum: DECISION_KINDS, description: '`shadow`: a rule in shadow would have refused a request that passed. `unauthenticated`: nothing was decided, since no known credentials were shown.' })
  readonly kind!: DecisionKind;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it was decided, by the clock of the counters.', example: '2026-01-31T14:02:07.412Z' })
  readonly at!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The API key, where one was known.', example: 'key_3f2a' })
  readonly key_id!: string | null;

  @ApiProperty({ type: 'boolean' })
  readonly allowed!: boolean;

  @ApiProperty({ type: 'string', description: `${REASONS}; later nodes may say something else.`, example: 'quota' })
  readonly reason!: string;

  @ApiProperty({ type: 'string', description: 'Where the deciding limit was looked at; `none` where no rule applied.', example: 'store' })
  readonly source!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Permits that the request asked for.', example: 1 })
  readonly cost!: number;

  @ApiProperty({ type: 'number', minimum: 0, nullable: true, description: 'Seconds until the same request would have passed; null when it passed, or no waiting helps.', example: 11.8 })
  readonly retry_after_seconds!: number | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, description: 'What was known of the request, each value cut to 256 characters.', example: { key_id: 'key_3f2a', endpoint: 'GET /v1/items/{id}', plan: 'free', tenant_id: 'acme' } })
  readonly attributes!: Readonly<Record<string, string>>;

  @ApiProperty({ type: () => DecisionLimitResource, isArray: true, description: 'The deciding one first; none where no rule applied.' })
  readonly limits!: readonly DecisionLimitResource[];

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Version of the rules that the node decided by.', example: 17 })
  readonly snapshot_version!: number;

  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, description: 'Share, above 0, of the decisions like this one that are recorded: it stands for 1 / sampled_share of them. Refusals are all recorded.', example: 1 })
  readonly sampled_share!: number;

  @ApiProperty({ type: 'string', example: 'eu' })
  readonly region!: string;

  @ApiProperty({ type: 'string', description: 'What decided.', example: 'gateway' })
  readonly app!: string;

  @ApiPropertyOptional({ type: 'string', description: "The node that decided. Absent for a tenant's token.", example: 'gateway-7f9c' })
  readonly node_id?: string;
}

@ApiSchema({ name: 'DecisionPage', description: 'Decisions, the newest first.' })
export class DecisionPage {
  @ApiProperty({ type: () => DecisionResource, isArray: true })
  readonly decisions!: readonly DecisionResource[];

  @ApiProperty({ type: 'string', nullable: true, description: 'Asks for the next page; null on the last one.' })
  readonly next_cursor!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Start of the range that was looked at, inclusive; all pages have the same.' })
  readonly from!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Its end, exclusive.' })
  readonly to!: string;
}
