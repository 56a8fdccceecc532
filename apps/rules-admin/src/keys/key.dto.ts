import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { ID_PATTERN, IsId } from '../input/is-id.js';
import { IsText } from '../input/is-text.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { ListQuery } from '../paging/list-query.dto.js';
import { PageFields } from '../paging/page.dto.js';

export class KeyIdParam {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'key_3f2a' })
  @IsId()
  readonly key_id!: string;
}

export class KeysQuery extends ListQuery {
  @ApiPropertyOptional({ type: 'string', pattern: ID_PATTERN, description: 'Only keys of this tenant.' })
  @MayBeAbsent()
  @IsId()
  readonly tenant_id?: string;
}

@ApiSchema({ name: 'NewKey' })
export class NewKeyBody {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, description: 'The tenant, which must exist.', example: 'acme' })
  @IsId()
  readonly tenant_id!: string;

  @ApiProperty({ type: 'string', minLength: 1, maxLength: 128, description: 'For people.', example: 'Production' })
  @IsText(128)
  readonly name!: string;

  @ApiPropertyOptional({ type: 'string', pattern: ID_PATTERN, description: 'Absent: one is made up.' })
  @MayBeAbsent()
  @IsId()
  readonly key_id?: string;
}

@ApiSchema({ name: 'KeyCreated' })
export class KeyCreated {
  @ApiProperty({ type: 'string', example: 'key_3f2a' })
  readonly key_id!: string;

  @ApiProperty({ type: 'string', description: 'Shown this once; only its hash is kept.', example: 'sk_…' })
  readonly secret!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  readonly version!: number;
}

/** As long as an old secret can be good beside a new one, at most: 30 days. */
export const MAX_OVERLAP_SECONDS = 2_592_000;

@ApiSchema({ name: 'KeyRotation', description: 'How long the secret that is replaced stays good.' })
export class KeyRotationBody {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_OVERLAP_SECONDS, description: 'Both secrets are good for so long; 0 ends the old one at once.', example: 86_400 })
  @IsInt({ message: 'must be an integer' })
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  readonly overlap_seconds!: number;
}

@ApiSchema({ name: 'KeyRotated' })
export class KeyRotated {
  @ApiProperty({ type: 'string', example: 'key_3f2a' })
  readonly key_id!: string;

  @ApiProperty({ type: 'string', description: 'The new one, shown this once; only its hash is kept.', example: 'sk_…' })
  readonly secret!: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'Until then the old secret is good too; absent when it is not any longer.' })
  readonly previous_secret_until?: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 2 })
  readonly version!: number;
}

@ApiSchema({ name: 'KeyPatch', description: 'What changes of a key; an absent field stays.' })
export class KeyPatchBody {
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 128 })
  @MayBeAbsent()
  @IsText(128)
  readonly name?: string;

  @ApiPropertyOptional({ type: 'boolean', description: 'A disabled key is refused; gateways learn of it at once.' })
  @MayBeAbsent()
  @IsBoolean()
  readonly disabled?: boolean;
}

@ApiSchema({ name: 'Key' })
export class KeyResource {
  @ApiProperty({ type: 'string', example: 'key_3f2a' })
  readonly key_id!: string;

  @ApiProperty({ type: 'string', example: 'acme' })
  readonly tenant_id!: string;

  @ApiProperty({ type: 'string', example: 'Production' })
  readonly name!: string;

  @ApiProperty({ type: 'boolean' })
  readonly disabled!: boolean;

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'The secret before the last rotation was or is good until then; the answer to a look-up says whether it still is.' })
  readonly previous_secret_until?: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Counts the changes of this key.' })
  readonly version!: number;
}

@ApiSchema({ name: 'KeyWritten' })
export class KeyWritten {
  @ApiProperty({ type: 'string', example: 'key_3f2a' })
  readonly key_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 2 })
  readonly version!: number;
}

@ApiSchema({ name: 'KeyPage' })
export class KeyPage extends PageFields {
  @ApiProperty({ type: () => KeyResource, isArray: true })
  readonly keys!: KeyResource[];
}

@ApiSchema({ name: 'KeyLookup' })
export class KeyLookupBody {
  @ApiProperty({ type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the key that was presented, lower-case hex.', example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' })
  @IsString()
  @Matches(/^[0-9a-f]{64}$/, { message: 'must be a SHA-256 in 64 lower-case hex digits' })
  readonly key_hash!: string;
}

@ApiSchema({ name: 'KeyIdentity', description: 'Whose a key is.' })
export class KeyIdentity {
  @ApiProperty({ type: 'string', example: 'key_3f2a' })
  readonly key_id!: string;

  @ApiProperty({ type: 'string', example: 'acme' })
  readonly tenant_id!: string;

  @ApiProperty({ type: 'string', description: "The tenant's plan.", example: 'free' })
  readonly plan!: string;

  @ApiProperty({ type: 'boolean', description: 'A disabled key must be refused.' })
  readonly disabled!: boolean;

  @ApiPropertyOptional({ type: 'number', minimum: 0, description: 'The secret was replaced by a rotation, and is good for so many seconds more: nobody may take it for good longer than that, not even while the control plane is away.' })
  readonly valid_for_seconds?: number;
}
