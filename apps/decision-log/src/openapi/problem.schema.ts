import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'FieldFault' })
export class FieldFaultSchema {
  @ApiProperty({ type: 'string', description: 'RFC 6901 pointer into the body, empty for the body as a whole; `/query/name`, `/path/name` and `/header/name` for parameters.', example: '/query/from' })
  readonly pointer!: string;

  @ApiProperty({ type: 'string', example: 'must be a date and time with a zone, such as 2026-01-31T14:02:00Z' })
  readonly detail!: string;
}

@ApiSchema({ name: 'Problem', description: 'A problem document (RFC 9457).' })
export class ProblemSchema {
  @ApiProperty({ type: 'string', format: 'uri', description: '`about:blank`, or `urn:sluice:problem:` and what kind it is.', example: 'urn:sluice:problem:invalid-request' })
  readonly type!: string;

  @ApiProperty({ type: 'string', example: 'Invalid request' })
  readonly title!: string;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, example: 400 })
  readonly status!: number;

  @ApiPropertyOptional({ type: 'string', example: 'The request is not valid; see errors.' })
  readonly detail?: string;

  @ApiPropertyOptional({ type: () => FieldFaultSchema, isArray: true, description: 'Each field that is wrong.' })
  readonly errors?: FieldFaultSchema[];

  @ApiProperty({ type: 'string', description: 'What the log has this request under; also in X-Request-Id.' })
  readonly request_id!: string;
}
