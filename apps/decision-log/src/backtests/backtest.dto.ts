import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { BACKTEST_STATES, type BacktestState } from './backtest.js';
import { BacktestResult } from './backtest-result.dto.js';

const BACKTEST_ID = '^bt_[0-9a-f]{20}$';
const ID = { type: 'string', pattern: BACKTEST_ID, example: 'bt_3f2a9c04b1d85e6720aa' } as const;
const AT = { type: 'string', format: 'date-time', example: '2026-11-30T14:02:00.000Z' } as const;

/** Read by hand (`backtest-request.ts`); for the document. */
export class BacktestBody {
  @ApiProperty({ ...AT, description: 'First instant that is replayed.' })
  readonly from!: string;

  @ApiProperty({ ...AT, description: 'First instant that is not; at most 31 days later. What lies in the future is cut off.' })
  readonly to!: string;

  @ApiProperty({
    description: 'The whole set, or changes of the one in force. Rules are as `GET /v1/rules` of the control plane lists them; `version` may be absent.',
    oneOf: [
      { type: 'array', items: { type: 'object' } },
      { type: 'object', additionalProperties: false, properties: { upsert: { type: 'array', items: { type: 'object' } }, remove: { type: 'array', items: { type: 'string' } } } },
    ],
  })
  readonly rules!: object;

  @ApiPropertyOptional({ ...AT, description: 'Take plans, overrides and the rules that are changed as they were then, instead of as they are now.' })
  readonly against?: string;

  @ApiPropertyOptional({
    type: 'object',
    description: 'Only decisions with these values. What counts others along, a limit of a whole plan for one key, say, is then seen by these alone.',
    additionalProperties: false,
    properties: Object.fromEntries(['domain', 'plan', 'endpoint', 'key_id', 'tenant_id', 'user_id', 'ip', 'region'].map((name) => [name, { type: 'string', minLength: 1, maxLength: 256 }])),
  })
  readonly filter?: object;
}

export class BacktestIdParam {
  @ApiProperty(ID)
  @Matches(new RegExp(BACKTEST_ID), { message: 'must be an id of a backtest, such as bt_3f2a9c04b1d85e6720aa' })
  readonly backtest_id!: string;
}

export class BacktestsQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 50, description: 'How many a page has at most.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Matches(/^(?:[1-9]\d?|100)$/, { message: 'must be a whole number from 1 to 100' })
  readonly limit?: string;

  @ApiPropertyOptional({ ...ID, description: 'The `next_cursor` of the page before.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Matches(new RegExp(BACKTEST_ID), { message: 'must be the next_cursor of a page' })
  readonly cursor?: string;
}

@ApiSchema({ name: 'BacktestProgress' })
export class BacktestProgressResource {
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, description: 'Of the range.' })
  readonly share!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  readonly events!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  readonly events_per_second!: number;

  @ApiProperty({ type: 'integer', nullable: true, minimum: 0, description: 'Null where nobody can tell.' })
  readonly eta_seconds!: number | null;
}

@ApiSchema({ name: 'BacktestWarning' })
export class BacktestWarning {
  @ApiProperty({ type: 'string', description: 'Into the body.' })
  readonly pointer!: string;

  @ApiProperty({ type: 'string' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'string', description: 'The rule that always wins.' })
  readonly shadowed_by!: string;

  @ApiProperty({ type: 'string' })
  readonly detail!: string;
}

@ApiSchema({ name: 'BacktestSummary' })
export class BacktestSummary {
  @ApiProperty(ID)
  readonly backtest_id!: string;

  @ApiProperty({ type: 'string', description: 'Who started it.', example: 'token:anna' })
  readonly actor!: string;

  @ApiProperty({ enum: BACKTEST_STATES })
  readonly state!: BacktestState;

  @ApiProperty(AT)
  readonly from!: string;

  @ApiProperty(AT)
  readonly to!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  readonly filter!: object;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Version of the set in force that it was made against.' })
  readonly snapshot_version!: number;

  @ApiProperty({ type: () => BacktestWarning, isArray: true, description: 'Rules of the set that can never apply.' })
  readonly warnings!: readonly BacktestWarning[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Overrides in force whose rule the set does not have.' })
  readonly overrides_left_out!: number;

  @ApiProperty(AT)
  readonly created_at!: string;

  @ApiProperty({ ...AT, nullable: true })
  readonly started_at!: string | null;

  @ApiProperty({ ...AT, nullable: true })
  readonly ended_at!: string | null;

  @ApiProperty({ type: () => BacktestProgressResource })
  readonly progress!: BacktestProgressResource;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it failed.' })
  readonly fault!: string | null;
}

@ApiSchema({ name: 'Backtest' })
export class BacktestResource extends BacktestSummary {
  @ApiProperty({ type: () => BacktestResult, nullable: true, description: 'Null before it began, and where it failed.' })
  readonly result!: BacktestResult | null;
}

@ApiSchema({ name: 'BacktestPage' })
export class BacktestPage {
  @ApiProperty({ type: () => BacktestSummary, isArray: true })
  readonly backtests!: readonly BacktestSummary[];

  @ApiProperty({ ...ID, nullable: true, description: 'Asks for the next page; null on the last one.' })
  readonly next_cursor!: string | null;
}
