import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length, Matches } from 'class-validator';
import { MayBeAbsent } from '../../input/may-be-absent.js';
import type { Dimension } from '../../store/aggregate.js';
import { BUCKET_NAMES, type BucketName, MOST_ROWS } from '../sums/bucket.js';
import { SumsQuery } from '../sums/sums-query.dto.js';

/** What usage can be grouped by, and where each is found. */
export const USAGE_DIMENSIONS = { key: 'key_id', tenant: 'tenant_id', rule: 'rule_id', region: 'region', plan: 'plan', endpoint: 'endpoint' } as const satisfies Readonly<Record<string, Dimension>>;
export type UsageBy = keyof typeof USAGE_DIMENSIONS;
export const USAGE_BYS = Object.keys(USAGE_DIMENSIONS) as readonly UsageBy[];

export class UsageQuery extends SumsQuery {
  @ApiPropertyOptional({ enum: USAGE_BYS, description: "What the sums are grouped by; `rule` is that of the deciding limit. Absent: all together. A tenant's token: `key`, `rule`, `endpoint`." })
  @MayBeAbsent()
  @IsIn(USAGE_BYS)
  readonly by?: UsageBy;

  @ApiPropertyOptional({ enum: BUCKET_NAMES, description: 'Also by parts of time of this length, aligned to UTC. Absent: the whole range in one.' })
  @MayBeAbsent()
  @IsIn(BUCKET_NAMES)
  readonly bucket?: BucketName;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST_ROWS, default: MOST_ROWS, description: 'How many rows a page has at most.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Matches(/^(?:[1-9]\d{0,3}|10000)$/, { message: `must be a whole number from 1 to ${MOST_ROWS}` })
  readonly limit?: string;

  @ApiPropertyOptional({ type: 'string', maxLength: 2048, description: 'The `next_cursor` of the page before, with the same other parameters. Opaque.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Length(1, 2_048)
  readonly cursor?: string;
}
