import { ApiProperty } from '@nestjs/swagger';

/** What every page has beside its items. */
export class PageFields {
  @ApiProperty({ type: 'string', nullable: true, description: 'Asks for the next page; null on the last one.' })
  readonly next_cursor!: string | null;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Global version that the page is as of.' })
  readonly version!: number;
}
