import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type Role, ROLES } from '../access/role.js';
import { ID_PATTERN, IsId } from '../input/is-id.js';
import { IsInstant } from '../input/is-instant.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { PageFields } from '../paging/page.dto.js';

const NAME = { type: 'string', pattern: ID_PATTERN, example: 'gateway-eu-1' } as const;
const ROLE = { type: 'string' as const, enum: [...ROLES], example: 'node' };
const TENANT_ID = { type: 'string', pattern: ID_PATTERN, nullable: true, description: 'The tenant of a token of the role `tenant`; null for all others.', example: null } as const;
const EXPIRES_AT = { type: 'string', format: 'date-time', nullable: true, description: 'By the clock of the database; null for one that never expires.', example: '2027-01-31T12:00:00.000Z' } as const;
const VERSION = { type: 'integer', format: 'int64', minimum: 1, example: 1 } as const;

export class TokenNameParam {
  @ApiProperty(NAME)
  @IsId()
  readonly name!: string;
}

@ApiSchema({ name: 'NewToken' })
export class NewTokenBody {
  @ApiProperty({ ...NAME, description: 'Whoever acts with the token is `token:NAME` in the audit. Not `environment`, and not the name of a token that was revoked.' })
  @IsId()
  readonly name!: string;

  @ApiProperty({ ...ROLE, description: '`viewer` reads, `editor` writes as well, `admin` issues tokens as well; `node` is for gateways, and opens what they need and nothing else; `tenant` is for a customer, and opens its own decisions at the decision log and nothing here but `GET /v1/tokens:self`.' })
  @IsIn(ROLES, { message: `must be one of ${ROLES.join(', ')}` })
  readonly role!: Role;

  @ApiPropertyOptional({ type: 'string', pattern: ID_PATTERN, description: 'Required for the role `tenant`, and for no other: the tenant whose decisions it shows. A tenant with tokens cannot be deleted.', example: 'acme' })
  @MayBeAbsent()
  @IsId()
  readonly tenant_id?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'ISO 8601 with a zone, in the future by the clock of the database, by ten years at the most. Kept to the millisecond. Absent: never.', example: '2027-01-31T12:00:00Z' })
  @MayBeAbsent()
  @IsInstant()
  readonly expires_at?: string;
}

@ApiSchema({ name: 'TokenCreated' })
export class TokenCreated {
  @ApiProperty(NAME)
  readonly name!: string;

  @ApiProperty(ROLE)
  readonly role!: Role;

  @ApiProperty(TENANT_ID)
  readonly tenant_id!: string | null;

  @ApiProperty({ type: 'string', description: 'Shown this once; only its hash is kept.', example: 'slu_…' })
  readonly token!: string;

  @ApiProperty(EXPIRES_AT)
  readonly expires_at!: string | null;

  @ApiProperty(VERSION)
  readonly version!: number;
}

@ApiSchema({ name: 'Token' })
export class TokenResource {
  @ApiProperty(NAME)
  readonly name!: string;

  @ApiProperty(ROLE)
  readonly role!: Role;

  @ApiProperty(TENANT_ID)
  readonly tenant_id!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-30T12:00:00.000Z' })
  readonly created_at!: string;

  @ApiProperty({ type: 'string', description: 'Who created it.', example: 'oidc:alice' })
  readonly created_by!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'To about a minute; null for one that was not used yet.', example: '2026-11-30T12:34:00.000Z' })
  readonly last_used_at!: string | null;

  @ApiProperty(EXPIRES_AT)
  readonly expires_at!: string | null;

  @ApiProperty(VERSION)
  readonly version!: number;
}

@ApiSchema({ name: 'TokenPage' })
export class TokenPage extends PageFields {
  @ApiProperty({ type: () => TokenResource, isArray: true })
  readonly tokens!: TokenResource[];
}

@ApiSchema({ name: 'OwnToken', description: 'Who a token is.' })
export class OwnToken {
  @ApiProperty({ type: 'string', description: 'Who acts with it, as the audit has it.', example: 'token:dashboard' })
  readonly actor!: string;

  @ApiProperty({ ...ROLE, description: 'Of a JWT the highest that it claims.' })
  readonly role!: Role;

  @ApiProperty(TENANT_ID)
  readonly tenant_id!: string | null;

  @ApiProperty({ ...EXPIRES_AT, description: 'Of a JWT its `exp`. Null for one that never expires, as those of the environment.' })
  readonly expires_at!: string | null;
}
