import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ID_PATTERN, IsId } from '../input/is-id.js';
import { IsText } from '../input/is-text.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { ListQuery } from '../paging/list-query.dto.js';
import { PageFields } from '../paging/page.dto.js';

export class TenantIdParam {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'acme' })
  @IsId()
  readonly tenant_id!: string;
}

export class TenantsQuery extends ListQuery {
  @ApiPropertyOptional({ type: 'string', pattern: ID_PATTERN, description: 'Only tenants on this plan.' })
  @MayBeAbsent()
  @IsId()
  readonly plan_id?: string;
}

@ApiSchema({ name: 'TenantBody', description: 'What a tenant is replaced with.' })
export class TenantBody {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 128, description: 'For people.', example: 'Acme Ltd' })
  @IsText(128)
  readonly name!: string;

  @ApiProperty({ type: 'string', pattern: ID_PATTERN, description: 'The plan, which must exist.', example: 'free' })
  @IsId()
  readonly plan_id!: string;
}

@ApiSchema({ name: 'Tenant' })
export class TenantResource extends TenantBody {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'acme' })
  readonly tenant_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Counts the changes of this tenant.' })
  readonly version!: number;
}

@ApiSchema({ name: 'TenantWritten' })
export class TenantWritten {
  @ApiProperty({ type: 'string', example: 'acme' })
  readonly tenant_id!: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, example: 1 })
  readonly version!: number;
}

@ApiSchema({ name: 'TenantPage' })
export class TenantPage extends PageFields {
  @ApiProperty({ type: () => TenantResource, isArray: true })
  readonly tenants!: TenantResource[];
}
