import { ApiProperty, ApiSchema } from '@nestjs/swagger';

const COUNT = { type: 'number', minimum: 0 } as const;
const SHARE = { type: 'number', minimum: 0, maximum: 1 } as const;

@ApiSchema({ name: 'BacktestComparison', description: 'With what really happened.' })
export class BacktestComparison {
  @ApiProperty(COUNT)
  readonly really_refused!: number;

  @ApiProperty({ ...COUNT, description: 'Passed, and would be refused.' })
  readonly newly_refused!: number;

  @ApiProperty({ ...COUNT, description: 'Were refused, and would pass.' })
  readonly newly_allowed!: number;

  @ApiProperty(COUNT)
  readonly same!: number;
}

@ApiSchema({ name: 'BacktestInterval', description: 'Between what the true number of refusals lies, as far as sampling is concerned.' })
export class BacktestInterval {
  @ApiProperty(COUNT)
  readonly at_least!: number;

  @ApiProperty(COUNT)
  readonly at_most!: number;

  @ApiProperty({ ...SHARE, description: 'How often the truth is within; 1 where nothing was sampled.' })
  readonly confidence!: number;

  @ApiProperty({ ...COUNT, description: 'Projected refusals that the sample cannot confirm: of limits lower, or bursts shorter, than it resolves.' })
  readonly unresolved!: number;

  @ApiProperty({ enum: ['charge_denied'], nullable: true, description: '`charge_denied`: a rule that charges denials may have refused, and a sample does not tell how its debt ran; of its requests, and those of rules that apply together with it, all that passed may be refused, or none.' })
  readonly reason!: string | null;
}

@ApiSchema({ name: 'BacktestSums' })
export class BacktestSums {
  @ApiProperty({ ...COUNT, description: 'An estimate where allowed requests are sampled.' })
  readonly requests!: number;

  @ApiProperty({ ...COUNT, description: 'Of `requests`; 0 where it is exact.' })
  readonly standard_error!: number;

  @ApiProperty(COUNT)
  readonly refused!: number;

  @ApiProperty({ ...SHARE, description: 'The projected share of 429.' })
  readonly refused_share!: number;

  @ApiProperty(COUNT)
  readonly cost!: number;

  @ApiProperty(COUNT)
  readonly refused_cost!: number;

  @ApiProperty({ type: () => BacktestComparison, nullable: true })
  readonly compared!: BacktestComparison | null;
}

@ApiSchema({ name: 'BacktestTotal' })
export class BacktestTotal extends BacktestSums {
  @ApiProperty({ type: () => BacktestInterval })
  readonly interval!: BacktestInterval;
}

@ApiSchema({ name: 'BacktestNamed' })
export class BacktestNamed extends BacktestSums {
  @ApiProperty({ type: 'string' })
  readonly name!: string;

  @ApiProperty({ ...COUNT, description: 'Changes that may be missing in this line at most; 0 where it is exact.' })
  readonly missing_at_most!: number;
}

@ApiSchema({ name: 'BacktestKey' })
export class BacktestKey extends BacktestNamed {
  @ApiProperty({ enum: ['key_id', 'tenant_id', 'ip'], description: 'What the name is of.' })
  readonly attribute!: string;
}

@ApiSchema({ name: 'BacktestTime' })
export class BacktestTime extends BacktestSums {
  @ApiProperty({ type: 'string', format: 'date-time' })
  readonly starts_at!: string;
}

@ApiSchema({ name: 'BacktestRule' })
export class BacktestRule {
  @ApiProperty({ type: 'string' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly version!: number;

  @ApiProperty({ enum: ['enforce', 'shadow', 'off'] })
  readonly mode!: string;

  @ApiProperty({ ...COUNT, description: 'Requests that it applied to.' })
  readonly requests!: number;

  @ApiProperty({ ...COUNT, description: 'Refused by it as the rule that decides; in shadow, what it would have.' })
  readonly refused!: number;

  @ApiProperty(SHARE)
  readonly refused_share!: number;

  @ApiProperty({ type: () => BacktestInterval })
  readonly interval!: BacktestInterval;

  @ApiProperty({ ...COUNT, description: 'Of the refused, what really passed.' })
  readonly newly_refused!: number;
}

@ApiSchema({ name: 'BacktestRecordedRule', description: 'By the rules that really refused.' })
export class BacktestRecordedRule {
  @ApiProperty({ type: 'string' })
  readonly rule_id!: string;

  @ApiProperty(COUNT)
  readonly really_refused!: number;

  @ApiProperty(COUNT)
  readonly newly_allowed!: number;
}

@ApiSchema({ name: 'BacktestUnlisted' })
export class BacktestUnlisted {
  @ApiProperty(COUNT)
  readonly plans!: number;

  @ApiProperty(COUNT)
  readonly endpoints!: number;

  @ApiProperty(COUNT)
  readonly keys!: number;
}

@ApiSchema({ name: 'BacktestResult' })
export class BacktestResult {
  @ApiProperty({ type: 'boolean', description: 'Not of the whole range.' })
  readonly partial!: boolean;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Recorded decisions.' })
  readonly events!: number;

  @ApiProperty({ type: 'boolean' })
  readonly sampled!: boolean;

  @ApiProperty({ type: () => BacktestTotal })
  readonly total!: BacktestTotal;

  @ApiProperty({ type: () => BacktestRule, isArray: true, description: 'Those that met a request.' })
  readonly rules!: readonly BacktestRule[];

  @ApiProperty({ type: () => BacktestRecordedRule, isArray: true })
  readonly recorded_rules!: readonly BacktestRecordedRule[];

  @ApiProperty({ type: () => BacktestNamed, isArray: true, description: 'The 100 with the most changes, as the next two.' })
  readonly plans!: readonly BacktestNamed[];

  @ApiProperty({ type: () => BacktestNamed, isArray: true })
  readonly endpoints!: readonly BacktestNamed[];

  @ApiProperty({ type: () => BacktestKey, isArray: true })
  readonly keys!: readonly BacktestKey[];

  @ApiProperty({ type: () => BacktestUnlisted, description: 'A name that is not kept has at most so many changes: 0 where all are.' })
  readonly unlisted_at_most!: BacktestUnlisted;

  @ApiProperty({ type: 'number', minimum: 60, description: 'Length of the buckets of `times`, a minute or as many as are needed for 1,440 of them.' })
  readonly bucket_seconds!: number;

  @ApiProperty({ type: () => BacktestTime, isArray: true, description: 'Empty ones are left out.' })
  readonly times!: readonly BacktestTime[];

  @ApiProperty({ type: 'integer', minimum: 0 })
  readonly out_of_order!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  readonly counters!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Above 0: counters had to be forgotten, so that some passed that would be refused.' })
  readonly counters_forgotten!: number;
}
