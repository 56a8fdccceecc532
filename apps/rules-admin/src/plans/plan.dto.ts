import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { ID_PATTERN, IsId } from '../input/is-id.js';
import { IsText } from '../input/is-text.js';
import { MayBeAbsent } from '../input/may-be-absent.js';
import { PageFields } from '../paging/page.dto.js';
import { QuotaBody } from '../rules/quota.dto.js';

export class PlanIdParam {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'free' })
  @IsId()
  readonly plan_id!: string;
}

@ApiSchema({ name: 'PlanBody', description: 'What a plan is replaced with. An absent field is removed.' })
export class PlanBody {
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 128, description: 'For people.', example: 'Free' })
  @MayBeAbsent()
  @IsText(128)
  readonly name?: string;

  @ApiPropertyOptional({ type: () => QuotaBody, description: 'The rule of last resort for the keys of the plan.' })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  @Type(() => QuotaBody)
  readonly default_limit?: QuotaBody;
}

@ApiSchema({ name: 'Plan' })
export class PlanResource extends PlanBody {
  @ApiProperty({ type: 'string', pattern: ID_PATTERN, example: 'free' })
  readonly plan_id!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Counts the changes of this plan.' })
  readonly version!: number;
}

@ApiSchema({ name: 'PlanWritten' })
export class PlanWritten {
  @ApiProperty({ type: 'string', example: 'free' })
  readonly plan_id!: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  readonly version!: number;
}

@ApiSchema({ name: 'PlanPage' })
export class PlanPage extends PageFields {
  @ApiProperty({ type: () => PlanResource, isArray: true })
  readonly plans!: PlanResource[];
}
