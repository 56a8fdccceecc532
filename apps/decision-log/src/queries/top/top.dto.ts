import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Sums } from '../sums/sums.dto.js';
import { TOP_BYS, TOP_MEASURES, type TopBy, type TopMeasure } from './top-query.dto.js';

@ApiSchema({ name: 'TopEntry' })
export class TopEntry extends Sums {
  @ApiProperty({ type: 'string', description: 'What `by` asks for: an id of a key, say.', example: 'key_3f2a' })
  readonly group!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'The first of its decisions in the range that is recorded.', example: '2026-01-31T14:00:03.120Z' })
  readonly first_at!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'The last one.', example: '2026-01-31T14:59:58.004Z' })
  readonly last_at!: string;
}

@ApiSchema({ name: 'TopList', description: 'The greatest, the greatest first.' })
export class TopList {
  @ApiProperty({ type: () => TopEntry, isArray: true })
  readonly top!: readonly TopEntry[];

  @ApiProperty({ enum: TOP_BYS, description: 'As asked.' })
  readonly by!: TopBy;

  @ApiProperty({ enum: TOP_MEASURES, description: 'As asked.' })
  readonly measure!: TopMeasure;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Start of the range that was looked at, inclusive.' })
  readonly from!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Its end, exclusive.' })
  readonly to!: string;
}
