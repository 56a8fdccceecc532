import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { IsInstant } from '../../input/is-instant.js';
import { IsAttribute, LONGEST_ATTRIBUTE } from '../../input/is-value.js';
import { MayBeAbsent } from '../../input/may-be-absent.js';

const DEFAULT_WINDOW_SECONDS = 60;
const ATTRIBUTE = { type: 'string', minLength: 1, maxLength: LONGEST_ATTRIBUTE } as const;

/** What is to be explained: by key and time, or by event id. */
export class ExplainQuery {
  @ApiPropertyOptional({ ...ATTRIBUTE, description: 'The API key. With `at`.', example: 'key_3f2a' })
  @MayBeAbsent()
  @IsAttribute()
  readonly key_id?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'When it happened, as far as the customer knows. With `event_id` optional: it makes the search short.', example: '2026-01-31T14:02:00Z' })
  @MayBeAbsent()
  @IsInstant()
  readonly at?: string;

  @ApiPropertyOptional({ ...ATTRIBUTE, description: 'Only requests to this endpoint, as they were decided by.', example: 'GET /v1/items/{id}' })
  @MayBeAbsent()
  @IsAttribute()
  readonly endpoint?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 86_400, default: DEFAULT_WINDOW_SECONDS, description: 'How far from `at` is looked, before and after it.' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Matches(/^[1-9]\d{0,4}$/, { message: 'must be a whole number from 1 to 86400' })
  readonly window_seconds?: string;

  @ApiPropertyOptional({ type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}:[0-9]{1,16}$', description: 'The one event, instead of key and time.', example: '6f1d2c9a:1204' })
  @MayBeAbsent()
  @IsString({ message: 'must be given once' })
  @Matches(/^[\w-]{1,64}:\d{1,16}$/, { message: 'must be an event_id' })
  readonly event_id?: string;
}

/** How far is looked, in ms; undefined where nothing was said. */
export function windowMs({ window_seconds: seconds }: ExplainQuery): number | undefined {
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

export const DEFAULT_WINDOW_MS = DEFAULT_WINDOW_SECONDS * 1_000;
export const MAX_WINDOW_SECONDS = 86_400;
