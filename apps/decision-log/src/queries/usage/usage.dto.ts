import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BUCKETS } from '../sums/bucket.js';
import { Sums } from '../sums/sums.dto.js';
import { USAGE_BYS, type UsageBy } from './usage-query.dto.js';

@ApiSchema({ name: 'UsageRow', description: 'Sums of one group in one part of the time.' })
export class UsageRow extends Sums {
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When the part begins; it may begin before the range. Null without `bucket`.', example: '2026-01-31T14:02:00.000Z' })
  readonly starts_at!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'What `by` asks for: an id of a key, say. Null for requests of which it is not known (no rule applied, no key), and without `by`.', example: 'key_3f2a' })
  readonly group!: string | null;
}

@ApiSchema({ name: 'UsagePage', description: 'Sums in the order of time, then group. Parts of time in which nothing was recorded have no row.' })
export class UsagePage {
  @ApiProperty({ type: () => UsageRow, isArray: true })
  readonly usage!: readonly UsageRow[];

  @ApiProperty({ enum: USAGE_BYS, nullable: true, description: 'As asked.' })
  readonly by!: UsageBy | null;

  @ApiProperty({ type: 'integer', enum: Object.values(BUCKETS).map((ms) => ms / 1_000), nullable: true, description: 'Length of the parts; null without.' })
  readonly bucket_seconds!: number | null;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Start of the range that was looked at, inclusive; all pages have the same.' })
  readonly from!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Its end, exclusive.' })
  readonly to!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Asks for the next page; null on the last one.' })
  readonly next_cursor!: string | null;
}
