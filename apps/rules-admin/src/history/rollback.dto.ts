import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

@ApiSchema({ name: 'RollbackBody', description: 'Which version to go back to.' })
export class RollbackBody {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'A version of the rule, as its history has it.', example: 3 })
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly version!: number;
}
