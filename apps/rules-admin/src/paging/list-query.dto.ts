import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';
import { MayBeAbsent } from '../input/may-be-absent.js';

const DEFAULT_LIMIT = 100;

/** How a list is asked for. */
export class ListQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 1000, default: DEFAULT_LIMIT, description: 'How many items a page has at most.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Matches(/^(?:[1-9]\d{0,2}|1000)$/, { message: 'must be a whole number from 1 to 1000' })
  readonly limit?: string;

  @ApiPropertyOptional({ type: 'string', maxLength: 1024, description: 'The `next_cursor` of the page before. Opaque.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Length(1, 1024)
  readonly cursor?: string;
}

/** The page size that a query asks for. */
export function pageLimit(query: ListQuery): number {
  return query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
}
