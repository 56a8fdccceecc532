import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'FieldFault' })
export class FieldFaultSchema {
  @ApiProperty({ type: 'string', description: 'RFC 6901 pointer into the body, empty for the body as a whole; `/query/name`, `/path/name` and `/header/name` for parameters.', example: '/limit' })
  readonly pointer!: string;

  @ApiProperty({ type: 'string', example: 'must be an integer between 1 and 9007199254740991' })
  readonly detail!: string;
}

@ApiSchema({ name: 'Problem', description: 'A problem document (RFC 9457).' })
export class ProblemSchema {
  @ApiProperty({ type: 'string', format: 'uri', description: '`about:blank`, or `urn:sluice:problem:` with invalid-request, malformed-json, unsupported-media-type, unauthorized, forbidden, too-many-failed-logins, too-many-tokens, issuer-unavailable, not-found, in-use, rule-conflict, version-mismatch, precondition-required, already-exists, name-was-used, does-not-exist, before-log, database-unavailable, request-in-progress, idempotency-key-reused.', example: 'urn:sluice:problem:invalid-request' })
  readonly type!: string;

  @ApiProperty({ type: 'string', example: 'Invalid request' })
  readonly title!: string;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, example: 400 })
  readonly status!: number;

  @ApiPropertyOptional({ type: 'string', example: 'The request is not valid; see errors.' })
  readonly detail?: string;

  @ApiPropertyOptional({ type: () => FieldFaultSchema, isArray: true, description: 'Each field that is wrong.' })
  readonly errors?: FieldFaultSchema[];

  @ApiPropertyOptional({ type: 'integer', format: 'int64', description: 'With 412: the version that is there.' })
  readonly current_version?: number;

  @ApiPropertyOptional({ type: 'string', description: 'With 412: its tag, for If-Match.' })
  readonly current_etag?: string;

  @ApiPropertyOptional({ type: 'string', description: 'With 409 `rule-conflict`: the rule that matches exactly the same.', example: 'free-default' })
  readonly conflicting_rule_id?: string;

  @ApiProperty({ type: 'string', description: 'What the log has this request under; also in X-Request-Id.' })
  readonly request_id!: string;
}
