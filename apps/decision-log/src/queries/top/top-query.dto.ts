import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Matches } from 'class-validator';
import { MayBeAbsent } from '../../input/may-be-absent.js';
import type { Dimension } from '../../store/aggregate.js';
import { SumsQuery } from '../sums/sums-query.dto.js';

/** What the greatest can be looked for among, and where each is found. */
export const TOP_DIMENSIONS = { key: 'key_id', tenant: 'tenant_id', ip: 'ip', endpoint: 'endpoint', rule: 'rule_id' } as const satisfies Readonly<Record<string, Dimension>>;
export type TopBy = keyof typeof TOP_DIMENSIONS;
export const TOP_BYS = Object.keys(TOP_DIMENSIONS) as readonly TopBy[];

/** What makes one great. */
export const TOP_MEASURES = ['refused', 'requests'] as const;
export type TopMeasure = (typeof TOP_MEASURES)[number];

const DEFAULT_LIMIT = 20;

export class TopQuery extends SumsQuery {
  @ApiProperty({ enum: TOP_BYS, description: "Among which; `rule` is that of the deciding limit. A tenant's token: `key`, `rule`, `endpoint`.", example: 'key' })
  @IsIn(TOP_BYS)
  readonly by!: TopBy;

  @ApiPropertyOptional({ enum: TOP_MEASURES, default: 'refused', description: 'By how many refusals, or by how many requests.' })
  @MayBeAbsent()
  @IsIn(TOP_MEASURES)
  readonly measure?: TopMeasure;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: DEFAULT_LIMIT, description: 'How many at most.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Matches(/^(?:[1-9]\d?|100)$/, { message: 'must be a whole number from 1 to 100' })
  readonly limit?: string;
}

/** How many a query asks for. */
export function topLimit({ limit }: TopQuery): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}
