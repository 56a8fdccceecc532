import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BUCKETS } from '../sums/bucket.js';

const COUNT = { type: 'integer', format: 'int64', minimum: 0 } as const;
const WOULD_REFUSE = { ...COUNT, description: 'Requests that passed, and that the rule would have refused.', example: 30 } as const;

/** What the report counts, in its own words. */
export const COUNTS_WHAT = 'Events that nodes sent: what a node dropped because its buffer was full or the stream was down is missing. How many requests the rule was evaluated for is not among them; for the last 7 days the shadow report of the control plane counts every request.';

@ApiSchema({ name: 'ShadowHistoryPart', description: 'A part of the time.' })
export class ShadowHistoryPart {
  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it begins; it may begin before the range.', example: '2026-01-31T14:02:00.000Z' })
  readonly starts_at!: string;

  @ApiProperty(WOULD_REFUSE)
  readonly would_refuse!: number;
}

@ApiSchema({ name: 'ShadowHistoryKey', description: 'One API key.' })
export class ShadowHistoryKey {
  @ApiProperty({ type: 'string', nullable: true, description: 'Null for all requests without a key.', example: 'key_3f2a' })
  readonly key_id!: string | null;

  @ApiProperty(WOULD_REFUSE)
  readonly would_refuse!: number;
}

@ApiSchema({ name: 'ShadowHistoryVersion', description: 'One version of the rule, or of the proposal.' })
export class ShadowHistoryVersion {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, example: 2 })
  readonly version!: number;

  @ApiProperty(WOULD_REFUSE)
  readonly would_refuse!: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'The first of them in the range.' })
  readonly first_at!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'The last one.' })
  readonly last_at!: string;
}

@ApiSchema({ name: 'ShadowHistory', description: 'What a rule in shadow would have refused.' })
export class ShadowHistory {
  @ApiProperty({ type: 'string', example: 'proposed:free-default' })
  readonly rule_id!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Start of the range that was looked at, inclusive.' })
  readonly from!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Its end, exclusive.' })
  readonly to!: string;

  @ApiProperty({ type: 'string', description: 'What is counted.', example: COUNTS_WHAT })
  readonly counts!: string;

  @ApiProperty({ type: 'boolean', enum: [false], description: 'Such events are never sampled.' })
  readonly sampled!: false;

  @ApiProperty({ type: 'number', enum: [0] })
  readonly standard_error!: 0;

  @ApiProperty(WOULD_REFUSE)
  readonly would_refuse!: number;

  @ApiProperty({ ...COUNT, description: 'Different API keys among them.', example: 4 })
  readonly keys!: number;

  @ApiProperty({ type: 'integer', enum: Object.values(BUCKETS).map((ms) => ms / 1_000), description: 'Length of the parts in `over_time`.' })
  readonly bucket_seconds!: number;

  @ApiProperty({ type: () => ShadowHistoryPart, isArray: true, description: 'Parts of the time in which there were some; the others are left out.' })
  readonly over_time!: readonly ShadowHistoryPart[];

  @ApiProperty({ type: () => ShadowHistoryKey, isArray: true, description: 'The 100 API keys of which it would have refused most.' })
  readonly by_key!: readonly ShadowHistoryKey[];

  @ApiProperty({ type: () => ShadowHistoryVersion, isArray: true, description: 'The versions that refused, those of most refusals first, 100 at most: a rule that was changed within the range is several.' })
  readonly by_version!: readonly ShadowHistoryVersion[];
}
