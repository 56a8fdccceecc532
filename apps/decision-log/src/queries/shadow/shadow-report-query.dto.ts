import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsValue, LONGEST_VALUE } from '../../input/is-value.js';
import { MayBeAbsent } from '../../input/may-be-absent.js';
import { BUCKET_NAMES, type BucketName } from '../sums/bucket.js';
import { RangeQuery } from '../sums/sums-query.dto.js';

export class ShadowReportQuery extends RangeQuery {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: LONGEST_VALUE, description: 'A rule in shadow; `proposed:<rule_id>` for the proposed version of a rule.', example: 'proposed:free-default' })
  @IsValue()
  readonly rule_id!: string;

  @ApiPropertyOptional({ enum: BUCKET_NAMES, description: 'Length of the parts in `over_time`, aligned to UTC. Default: the shortest that makes 200 at most.' })
  @MayBeAbsent()
  @IsIn(BUCKET_NAMES)
  readonly bucket?: BucketName;
}
